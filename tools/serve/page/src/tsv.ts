// SPDX-License-Identifier: Apache-2.0
// Tables of terms: two columns with a tab between them, or a comma (RFC 4180).

export type Term = [source: string, target: string];

// Rows of cells of a text with commas: quoted ones may have commas, quotation marks and line breaks.
function commaRows(text: string): string[][] {
    const rows: string[][] = [[]];
    const cell = /("(?:[^"]|"")*"|[^,\n]*)(,|\n|$)/y;
    for (let match = cell.exec(text); match && cell.lastIndex <= text.length; match = cell.exec(text)) {
        const given = match[1]!;
        rows.at(-1)!.push(given.startsWith('"') ? given.slice(1, -1).replaceAll('""', '"') : given);
        if (match[2] === "\n") rows.push([]);
        if (match[2] === "") break;
    }
    return rows;
}

// Throws an error with the number of the line that has no two columns, and the line.
export class TableError extends Error {
    constructor(readonly line: number, readonly text: string) {
        super(`line ${line}: ${text}`);
    }
}

export function readTerms(given: string): Term[] {
    const text = given.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
    const rows = text.includes("\t") ? text.split("\n").map((line) => line.split("\t")) : commaRows(text);
    const terms: Term[] = [];
    rows.forEach((row, i) => {
        const cells = row.map((cell) => cell.trim());
        if (cells.every((cell) => cell === "")) return;
        if (i === 0 && cells[0] === "source" && cells[1] === "target") return;
        if (!cells[0] || !cells[1]) throw new TableError(i + 1, row.join("\t"));
        terms.push([cells[0], cells[1]]);
    });
    return terms;
}

export const writeTerms = (terms: readonly Term[]): string => terms.map((term) => term.join("\t") + "\n").join("");
