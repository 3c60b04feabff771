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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** By JNA: Java before 22, and Android. */
final class JnaBackend extends JnaLibraries {
  private static final Pointer MEMORY = new Pointer(0);
  private static final CallbackThreadInitializer THREADS =
      new CallbackThreadInitializer(true, false, "dragoman");
  private static final Map<Class<?>, NativeLibrary> BOUND = new ConcurrentHashMap<>();

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

  static void bind(Class<?> functions, String name) {
    BOUND.computeIfAbsent(
        functions,
        made -> {
          NativeLibrary library = Library.open(name, NativeLibrary::getInstance);
          Native.register(made, library);
          return library;
        });
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
}
