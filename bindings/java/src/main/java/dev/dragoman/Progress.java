// SPDX-License-Identifier: Apache-2.0
package dev.dragoman;

/** Told now and then how far a call is. What it throws stops the call and comes out of it. */
@FunctionalInterface
public interface Progress {
  /**
   * Called on the thread of the call, of a job on one of the library's.
   *
   * @param done how much is done
   * @param total of so much; 0 while that is not known
   */
  void onProgress(long done, long total);
}
