// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import com.sun.jna.Callback;
import com.sun.jna.CallbackReference;
import com.sun.jna.CallbackThreadInitializer;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Platform;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** By JNA: Java before 22, and Android. */
final class JnaBackend extends JnaFunctions implements Backend {
  private static final Pointer MEMORY = new Pointer(0);
  private static final CallbackThreadInitializer THREADS =
      new CallbackThreadInitializer(true, false, "dragoman");

  private final SystemFunctions system = new JnaSystemFunctions();
  private final long[] callbacks = new long[JnaCallbacks.ALL.length];

  JnaBackend() {
    Native.register(JnaSystemFunctions.class, NativeLibrary.getInstance(Platform.C_LIBRARY_NAME));
    bind(JnaFunctions.class, "dragoman");
    for (int place = 0; place < callbacks.length; ++place) {
      Callback callback = JnaCallbacks.ALL[place];
      Native.setCallbackThreadInitializer(callback, THREADS);
      callbacks[place] = Pointer.nativeValue(CallbackReference.getFunctionPointer(callback));
    }
  }

  private static void bind(Class<?> functions, String name) {
    NativeLibrary library = Library.open(name, NativeLibrary::getInstance);
    Native.register(functions, library);
  }

  @Override
  public SystemFunctions system() {
    return system;
  }

  @Override
  public DocumentFunctions documents() {
    return Documents.FUNCTIONS;
  }

  @Override
  public ByteBuffer view(long address, long bytes) {
    return MEMORY.getByteBuffer(address, bytes).order(ByteOrder.nativeOrder());
  }

  @Override
  public long callback(CallbackKind kind) {
    return callbacks[kind.ordinal()];
  }

  @Override
  public String name() {
    return "JNA " + Native.VERSION;
  }

  private static final class Documents {
    static final DocumentFunctions FUNCTIONS = new JnaDocumentFunctions();

    static {
      bind(JnaDocumentFunctions.class, "dragoman_documents");
    }
  }
}
