import { isIPv6 } from 'node:net'

const mappedIpv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** The network of a client address: an IPv4 address itself, or the first 64 bits of an IPv6 address. */
export const networkOf = (ip: string): string => {
  const ipv4 = mappedIpv4.exec(ip)?.[1]
  if (ipv4 || !isIPv6(ip)) return ipv4 ?? ip
  const [leadingPart = '', trailingPart = ''] = ip.replace(/%.*$/, '').split('::')
  const leadingGroups = leadingPart.split(':').filter(Boolean)
  const trailingGroups = trailingPart.split(':').filter(Boolean)
  const zeros = Array.from({ length: Math.max(0, 8 - leadingGroups.length - trailingGroups.length) }, () => '0')
  const groups = ip.includes('::') ? [...leadingGroups, ...zeros, ...trailingGroups] : leadingGroups
  return groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')
}
