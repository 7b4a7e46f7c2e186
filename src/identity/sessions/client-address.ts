import { isIPv6 } from 'node:net';
import { elementAt } from '../../invariants/must.ts';

/** Whether an address belongs to this machine. */
export function isLoopback(address: string): boolean {
  return address === '::1' || toNetwork(address).startsWith('127.');
}

/**
 * The network that counts as one client: an IPv4 address, or the first 64 bits of an IPv6 address, because a client has
 * such a whole network.
 */
export function toNetwork(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = '', tail = ''] = elementAt(address.split('%'), 0).split('::');
  const groups = head.split(':').filter((group) => group !== '');
  const last = tail.split(':').filter((group) => group !== '');
  const zeros = Array<string>(Math.max(0, 8 - groups.length - last.length)).fill('0');
  const all = [...groups, ...zeros, ...last].map((group) => Number.parseInt(group, 16).toString(16));
  return all.slice(0, 4).join(':');
}
