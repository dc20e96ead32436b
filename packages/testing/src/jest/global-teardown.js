export default async function teardown() {
  await globalThis.cumuletTestPostgres?.();
  delete globalThis.cumuletTestPostgres;
}
