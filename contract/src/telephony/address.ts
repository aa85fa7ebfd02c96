/** What a gateway's address can be: an IPv4 address, a host below a domain, a bare domain, or none of these. */
export type AddressKind = 'ip' | 'fqdn' | 'fqdn-top-level' | 'invalid'

const ipv4Pattern = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/
const labelPattern = /^(?!-)[A-Za-z0-9_-]{1,63}(?<!-)$/

export const isIPv4 = (address: string): boolean => ipv4Pattern.test(address)

/** The kind of an address. `example.com` is top level, `sip.example.com` is a host; one label or a numeric ending is invalid. */
export const addressKind = (address: string): AddressKind => {
  if (isIPv4(address)) return 'ip'
  const labels = address.split('.')
  const topLevelDomain = labels.at(-1) ?? ''
  const wellFormed =
    address.length <= 253 &&
    labels.length >= 2 &&
    labels.every((each) => labelPattern.test(each)) &&
    /[A-Za-z]/.test(topLevelDomain)
  if (!wellFormed) return 'invalid'
  return labels.length === 2 ? 'fqdn-top-level' : 'fqdn'
}

/** Is this the name of a domain or of a host in one? */
export const isDomain = (address: string): boolean => ['fqdn', 'fqdn-top-level'].includes(addressKind(address))

/** Is this a host that a SIP header may name: a domain with a dot or an IPv4 address, without scheme or blanks? */
export const isSipHost = (host: string): boolean => !/^sips?:/i.test(host) && !/\s/.test(host) && host.includes('.')

/** Is this a host by its name or its IPv4 address, with a port where one is said? */
export const isHost = (address: string): boolean => {
  const [host = '', port, ...rest] = address.split(':')
  if (rest.length > 0 || (port !== undefined && !/^\d{1,5}$/.test(port))) return false
  return (
    isIPv4(host) ||
    (host.split('.').every((each) => labelPattern.test(each)) && /[A-Za-z]/.test(host.split('.').at(-1) ?? ''))
  )
}
