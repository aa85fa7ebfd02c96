/** One label of a host name. Shorter ones are refused by the console too. */
const subdomainPattern = /^(?=.{3,63}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?$/

/** The length of the column. */
const maxRealmLength = 132

/** The subdomain of a realm. Undefined unless the realm is one label below the root domain. Both are in lower case. */
export const parseSubdomain = (realm: string, rootDomain: string): string | undefined => {
  if (realm.length > maxRealmLength || !realm.endsWith(`.${rootDomain}`)) return undefined
  const subdomain = realm.slice(0, -rootDomain.length - 1)
  return subdomainPattern.test(subdomain) ? subdomain : undefined
}

/** Names that operators use for their own hosts, or that could mislead people. */
const reservedSubdomains = new Set(['www', 'mail', 'smtp', 'imap', 'ftp', 'api', 'admin', 'console', 'sip', 'sbc'])

/** Whether a subdomain is not given to accounts. It appears as unavailable. */
export const isReservedSubdomain = (text: string): boolean => reservedSubdomains.has(text)
