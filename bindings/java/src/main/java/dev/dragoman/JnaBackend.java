// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import com.sun.jna.Callback;
import com.sun.jna.CallbackReference;
import com.sun.jna.CallbackThreadInitializer;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** By JNA: Java before 22, and Android. */
final class JnaBackend extends JnaFunctions implements Backend {
  private static final Pointer MEMORY = new Pointer(0);
  private static final CallbackThreadInitializer THREADS =
      new CallbackThreadInitializer(true, false, "dragoman");

  private interface ProgressFunction extends Callback {
    int call(long done, long total, long user);
  }

  private interface EventFunction extends Callback {
    void call(long event, long user);
  }

  private interface LogFunction extends Callback {
    void call(int level, long line, long user);
  }

  private interface ReadFunction extends Callback {
    int call(long offset, long buffer, long size, long user);
  }

  private final Callback[] callbacks = {
    (ProgressFunction) Callbacks::progress,
    (EventFunction) Callbacks::event,
    (LogFunction) Callbacks::log,
    (ReadFunction) Callbacks::read
  };
  private final long[] addresses = new long[callbacks.length];

  JnaBackend() {
    NativeLibrary library = Library.open("dragoman", NativeLibrary::getInstance);
    Native.register(JnaFunctions.class, library);
    for (int place = 0; place < callbacks.length; ++place) {
      Native.setCallbackThreadInitializer(callbacks[place], THREADS);
      addresses[place] =
          Pointer.nativeValue(CallbackReference.getFunctionPointer(callbacks[place]));
    }
  }

  @Override
  public long allocate(long bytes) {
    long address = Native.malloc(bytes);
    if (address == 0) {
      throw new OutOfMemoryException("no " + bytes + " bytes of memory");
    }
    MEMORY.setMemory(address, bytes, (byte) 0);
    return address;
  }

  @Override
  public void free(long address) {
    Native.free(address);
  }

  @Override
  public ByteBuffer view(long address, int bytes) {
    return MEMORY.getByteBuffer(address, bytes).order(ByteOrder.nativeOrder());
  }

  @Override
  public byte[] bytes(long address, int size) {
    return MEMORY.getByteArray(address, size);
  }

  @Override
  public String string(long address) {
    return MEMORY.getString(address, "UTF-8");
  }

  @Override
  public long callback(Callbacks.Kind kind) {
    return addresses[kind.ordinal()];
  }

  @Override
  public DocumentFunctions documents() {
    return Documents.FUNCTIONS;
  }

  @Override
  public String name() {
    return "JNA " + Native.VERSION;
  }

  private static final class Documents {
    static final DocumentFunctions FUNCTIONS = new JnaDocumentFunctions();

    static {
      NativeLibrary library = Library.open("dragoman_documents", NativeLibrary::getInstance);
      Native.register(JnaDocumentFunctions.class, library);
    }
  }
}
