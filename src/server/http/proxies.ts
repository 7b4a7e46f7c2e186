import { BlockList, isIPv6 } from 'node:net';

/** Whether an address belongs to a trusted proxy. */
export type IsProxy = (address: string) => boolean;

/** Parses addresses and networks such as `10.0.0.0/8`. */
export function createProxies(networks: readonly string[]): IsProxy {
  // The usual case, on the path of each request.
  if (networks.length === 0) return () => false;
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = familyOf(address);
    list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return (address) => {
    const [plain = ''] = address.split('%');
    return list.check(plain, familyOf(plain));
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
