// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_java.py.
package dev.dragoman;

/** Numbers in rows and columns. */
public final class Matrix {
    private final float[] data;
    private final int rows;
    private final int cols;

    Matrix(float[] data, int rows, int cols) {
        this.data = data;
        this.rows = rows;
        this.cols = cols;
    }

    /**
     * How many rows; 0 for none.
     *
     * @return the value
     */
    public int rows() {
        return rows;
    }

    /**
     * How many numbers each row has.
     *
     * @return the value
     */
    public int cols() {
        return cols;
    }

    /**
     * One number, by its row and column from 0.
     *
     * @param row the value
     * @param col the value
     * @return the value
     */
    public float get(int row, int col) {
        return data[row * cols + col];
    }

    /**
     * A copy of a row.
     *
     * @param row the value
     * @return the value
     */
    public float[] row(int row) {
        return java.util.Arrays.copyOfRange(data, row * cols, (row + 1) * cols);
    }

    @Override
    public String toString() {
        return rows + " x " + cols;
    }
}
