import {
  getParentSpanId,
  type Attribute,
  type ResourceSpans,
  type WireSpan,
} from '@trunkline/contract/calls/otlp-trace'

/** The attribute keys under which voice servers name the account, on a span or on its resource. */
const accountAttributeKeys = new Set(['accountSid', 'account_sid'])

/** The account that these attributes name, in lower case, because SIDs are compared without case. */
export const findAccountSid = (attributes: readonly Attribute[] | undefined): string | undefined => {
  if (!Array.isArray(attributes)) return undefined
  const attribute = (attributes as readonly Attribute[]).find(
    ({ key, value }) =>
      accountAttributeKeys.has(key) && typeof value?.stringValue === 'string' && value.stringValue !== '',
  )
  return attribute?.value?.stringValue?.toLowerCase()
}

/**
 * Returns a function that finds the account of a span. A voice server names the account on some spans of a call only. A span
 * without an account belongs to the only account of the trace or, if there are several, to the account of its nearest ancestor.
 */
export const createSpanOwnerLookup = (
  spans: readonly { span: WireSpan; resource?: ResourceSpans['resource'] }[],
): ((span: WireSpan) => string | undefined) => {
  const spanById = new Map<string, WireSpan>()
  const accountBySpan = new Map<WireSpan, string>()
  for (const { span, resource } of spans) {
    spanById.set(span.spanId, span)
    const account = findAccountSid(span.attributes) ?? findAccountSid(resource?.attributes)
    if (account) accountBySpan.set(span, account)
  }
  const accounts = new Set(accountBySpan.values())
  if (accounts.size <= 1) {
    const accountSid = [...accounts][0]
    return () => accountSid
  }
  return (span) => {
    const visitedSpans = new Set<WireSpan>()
    for (
      let current: WireSpan | undefined = span;
      current && !visitedSpans.has(current);
      current = spanById.get(getParentSpanId(current) ?? '')
    ) {
      const account = accountBySpan.get(current)
      if (account) return account
      visitedSpans.add(current)
    }
    return undefined
  }
}
