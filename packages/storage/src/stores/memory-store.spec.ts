import { MemoryStore } from './memory-store.js';
import { storeContract } from './store-contract.fixture.js';

storeContract(() => {
  const store = new MemoryStore('widget');
  return Promise.resolve({ store, again: () => store, end: () => Promise.resolve() });
});
