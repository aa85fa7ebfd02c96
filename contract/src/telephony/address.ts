/** The kinds of gateway address: an IPv4 address, a host in a domain, a bare domain, or none of these. */
export type AddressKind = 'ip' | 'fqdn' | 'fqdn-top-level' | 'invalid'

const ipv4Pattern = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/
const labelPattern = /^(?!-)[A-Za-z0-9_-]{1,63}(?<!-)$/

export const isIPv4 = (address: string): boolean => ipv4Pattern.test(address)

/**
 * Classifies an address. `example.com` is top level, `sip.example.com` is a host; a single label or a numeric last
 * label is invalid.
 */
export const classifyAddress = (address: string): AddressKind => {
  if (isIPv4(address)) return 'ip'
  const labels = address.split('.')
  const topLevelDomain = labels.at(-1) ?? ''
  const isWellFormed =
    address.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => labelPattern.test(label)) &&
    /[A-Za-z]/.test(topLevelDomain)
  if (!isWellFormed) return 'invalid'
  return labels.length === 2 ? 'fqdn-top-level' : 'fqdn'
}

/** Whether this is the name of a domain or of a host in one. */
export const isDomain = (address: string): boolean => ['fqdn', 'fqdn-top-level'].includes(classifyAddress(address))

/** Whether a SIP header may contain this host: a domain with a dot or an IPv4 address, without scheme or spaces. */
export const isSipHost = (host: string): boolean => !/^sips?:/i.test(host) && !/\s/.test(host) && host.includes('.')

/** Whether this is a host name or an IPv4 address, optionally with a port. */
export const isHost = (address: string): boolean => {
  const [host = '', port, ...extraParts] = address.split(':')
  if (extraParts.length > 0 || (port !== undefined && !/^\d{1,5}$/.test(port))) return false
  return (
    isIPv4(host) ||
    (host.split('.').every((label) => labelPattern.test(label)) && /[A-Za-z]/.test(host.split('.').at(-1) ?? ''))
  )
}
