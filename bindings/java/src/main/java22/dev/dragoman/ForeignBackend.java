// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/** By java.lang.foreign: Java 22 and later. */
final class ForeignBackend extends ForeignFunctions implements Backend {
  static final StructLayout STRING = MemoryLayout.structLayout(JAVA_LONG, JAVA_LONG);
  private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  private static final Linker LINKER = Linker.nativeLinker();
  private static final SymbolLookup LIBRARY = Library.open("dragoman", ForeignBackend::open);
  private static final MethodHandle CALLOC =
      system("calloc", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle FREE = system("free", FunctionDescriptor.ofVoid(JAVA_LONG));

  private final long[] addresses = {
    callback("progress", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG)),
    callback("event", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG)),
    callback("log", FunctionDescriptor.ofVoid(JAVA_INT, JAVA_LONG, JAVA_LONG)),
    callback("read", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG))
  };

  private static SymbolLookup open(String name) {
    return name.indexOf('/') >= 0 || name.indexOf('\\') >= 0
        ? SymbolLookup.libraryLookup(Path.of(name), Arena.global())
        : SymbolLookup.libraryLookup(name, Arena.global());
  }

  private static MethodHandle system(String name, FunctionDescriptor descriptor) {
    return LINKER.downcallHandle(LINKER.defaultLookup().find(name).orElseThrow(), descriptor);
  }

  static MethodHandle bind(String name, FunctionDescriptor descriptor) {
    MemorySegment function =
        LIBRARY
            .find(name)
            .or(() -> Documents.LIBRARY.find(name))
            .orElseThrow(() -> new UnsatisfiedLinkError(name + ": the library has none"));
    return LINKER.downcallHandle(function, descriptor);
  }

  private static long callback(String name, FunctionDescriptor descriptor) {
    try {
      MethodHandle target =
          MethodHandles.lookup().findStatic(Callbacks.class, name, descriptor.toMethodType());
      return LINKER.upcallStub(target, descriptor, Arena.global()).address();
    } catch (ReflectiveOperationException thrown) {
      throw new AssertionError(thrown);
    }
  }

  /** Lets C return a struct at an address. */
  static SegmentAllocator at(long address) {
    return (size, alignment) -> MemorySegment.ofAddress(address).reinterpret(size);
  }

  @Override
  public long allocate(long bytes) {
    try {
      long address = (long) CALLOC.invokeExact(1L, bytes);
      if (address == 0) {
        throw new OutOfMemoryException("no " + bytes + " bytes of memory");
      }
      return address;
    } catch (DragomanException thrown) {
      throw thrown;
    } catch (Throwable thrown) {
      throw new AssertionError(thrown);
    }
  }

  @Override
  public void free(long address) {
    try {
      FREE.invokeExact(address);
    } catch (Throwable thrown) {
      throw new AssertionError(thrown);
    }
  }

  @Override
  public ByteBuffer view(long address, int bytes) {
    return MEMORY.asSlice(address, bytes).asByteBuffer().order(ByteOrder.nativeOrder());
  }

  @Override
  public byte[] bytes(long address, int size) {
    byte[] found = new byte[size];
    MemorySegment.copy(MEMORY, ValueLayout.JAVA_BYTE, address, found, 0, size);
    return found;
  }

  @Override
  public String string(long address) {
    return MEMORY.getString(address);
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
    return "java.lang.foreign";
  }

  private static final class Documents {
    static final SymbolLookup LIBRARY = Library.open("dragoman_documents", ForeignBackend::open);
    static final DocumentFunctions FUNCTIONS = new ForeignDocumentFunctions();
  }
}
