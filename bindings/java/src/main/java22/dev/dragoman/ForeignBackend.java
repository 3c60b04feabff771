// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** By java.lang.foreign: Java 22 and later. */
final class ForeignBackend extends ForeignLibraries {
  static final StructLayout STRING = MemoryLayout.structLayout(JAVA_LONG, JAVA_LONG);
  private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  private static final Linker LINKER = Linker.nativeLinker();
  private static final Map<String, SymbolLookup> LIBRARIES =
      new ConcurrentHashMap<>(
          Map.of(
              "", LINKER.defaultLookup(),
              "dragoman", Library.open("dragoman", ForeignBackend::open)));

  private final long[] callbacks =
      Arrays.stream(CallbackKind.values()).mapToLong(ForeignBackend::stub).toArray();

  private static SymbolLookup open(String name) {
    return name.indexOf('/') >= 0 || name.indexOf('\\') >= 0
        ? SymbolLookup.libraryLookup(Path.of(name), Arena.global())
        : SymbolLookup.libraryLookup(name, Arena.global());
  }

  static SymbolLookup library(String name) {
    return LIBRARIES.computeIfAbsent(name, key -> Library.open(key, ForeignBackend::open));
  }

  static MethodHandle bind(String library, String name, FunctionDescriptor descriptor) {
    MemorySegment function =
        library(library)
            .find(name)
            .orElseThrow(() -> new UnsatisfiedLinkError(name + ": the library has none"));
    return LINKER.downcallHandle(function, descriptor);
  }

  private static long stub(CallbackKind kind) {
    FunctionDescriptor descriptor = ForeignCallbacks.ALL[kind.ordinal()];
    String name = kind.name().toLowerCase(Locale.ROOT);
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
  public ByteBuffer view(long address, long bytes) {
    return MEMORY.asSlice(address, bytes).asByteBuffer().order(ByteOrder.nativeOrder());
  }

  @Override
  public long callback(CallbackKind kind) {
    return callbacks[kind.ordinal()];
  }

  @Override
  public String name() {
    return "java.lang.foreign";
  }
}
