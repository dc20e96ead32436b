export function printRow(cells: readonly string[]): void {
  const [first = '', ...rest] = cells;
  process.stdout.write(`${first.padEnd(30)}${rest.map((cell) => cell.padStart(17)).join('')}\n`);
}

export function mib(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0);
}
