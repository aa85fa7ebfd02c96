import { parentOf, type Attribute, type ResourceSpans, type WireSpan } from '@trunkline/contract/calls/spans-wire'

/** Under these keys voice servers name the account, on a span or on what made it. */
const keys = new Set(['accountSid', 'account_sid'])

/** The account that these attributes name, in the one spelling in which sids are compared. */
export const accountIn = (attributes: readonly Attribute[] | undefined): string | undefined => {
  if (!Array.isArray(attributes)) return undefined
  const found = (attributes as readonly Attribute[]).find(
    ({ key, value }) => keys.has(key) && typeof value?.stringValue === 'string' && value.stringValue !== '',
  )
  return found?.value?.stringValue?.toLowerCase()
}

/**
 * Says of each span whose it is. A voice server names the account on some spans of a call only: one without a name is
 * of the account that the whole trace is of, or where several are named, of that of the nearest span above it.
 */
export const ownersOf = (
  spans: readonly { span: WireSpan; resource?: ResourceSpans['resource'] }[],
): ((span: WireSpan) => string | undefined) => {
  const byId = new Map<string, WireSpan>()
  const named = new Map<WireSpan, string>()
  for (const { span, resource } of spans) {
    byId.set(span.spanId, span)
    const account = accountIn(span.attributes) ?? accountIn(resource?.attributes)
    if (account) named.set(span, account)
  }
  const accounts = new Set(named.values())
  if (accounts.size <= 1) {
    const only = [...accounts][0]
    return () => only
  }
  return (span) => {
    const seen = new Set<WireSpan>()
    for (let at: WireSpan | undefined = span; at && !seen.has(at); at = byId.get(parentOf(at) ?? '')) {
      const account = named.get(at)
      if (account) return account
      seen.add(at)
    }
    return undefined
  }
}
