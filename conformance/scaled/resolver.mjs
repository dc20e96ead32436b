/**
 * `node --import` of a service's process: gives it the name server of a scaled cloud, as Docker gives
 * containers its own. Names that this one does not know are the system's.
 */
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

const names = new dns.promises.Resolver();
names.setServers([process.env.CUMULET_NAMESERVER]);

const byTheSystem = dns.promises.lookup;

async function lookup(hostname, options) {
  const addresses = await names.resolve4(hostname).catch(() => []);
  if (addresses.length === 0) return byTheSystem(hostname, options);
  const found = addresses.map((address) => ({ address, family: 4 }));
  return options?.all === true ? found : found[0];
}

dns.promises.lookup = lookup;
dns.lookup = (hostname, ...more) => {
  const [callback, options = {}] = more.reverse();
  lookup(hostname, options).then(
    (found) =>
      Array.isArray(found) ? callback(null, found) : callback(null, found.address, found.family),
    callback,
  );
};
syncBuiltinESMExports();
