import { expect, it } from 'vitest'
import { accountOfAttributes, spanOwnerLookup } from './span-owner'
import type { WireSpan } from '@trunkline/contract/calls/otlp-trace'

const named = (account?: string) =>
  account ? { attributes: [{ key: 'accountSid', value: { stringValue: account } }] } : {}
const span = (spanId: string, parentSpanId: string, account?: string) =>
  ({ spanId, parentSpanId, ...named(account) }) as WireSpan
const owners = (spans: WireSpan[], resource?: object) => {
  const expectedOwner = spanOwnerLookup(spans.map((item) => ({ span: item, resource })))
  return Object.fromEntries(spans.map((item) => [item.spanId, expectedOwner(item)]))
}

it('reads the account from either spelling of its name, in one spelling of its own', () => {
  expect(accountOfAttributes([{ key: 'account_sid', value: { stringValue: 'ABC' } }])).toBe('abc')
  expect(accountOfAttributes([{ key: 'accountSid', value: { doubleValue: 5 } }])).toBeUndefined()
  expect(accountOfAttributes('nonsense' as never)).toBeUndefined()
})

it('gives a whole trace to the one account that is named in it, be it on any span or on the resource', () => {
  expect(owners([span('a', '', 'one'), span('b', 'a'), span('c', 'lost')])).toEqual({ a: 'one', b: 'one', c: 'one' })
  expect(owners([span('a', '')], named('two'))).toEqual({ a: 'two' })
  expect(owners([span('a', '')])).toEqual({ a: undefined })
})

it('gives each span to the nearest above it where several are named, and to nobody what hangs on none', () => {
  const spans = [span('a', '', 'one'), span('b', 'a'), span('c', 'b', 'two'), span('d', 'c'), span('e', 'lost')]
  expect(owners(spans)).toEqual({ a: 'one', b: 'one', c: 'two', d: 'two', e: undefined })
  expect(owners([span('a', 'b'), span('b', 'a'), span('c', '', 'one'), span('d', '', 'two')])).toMatchObject({
    a: undefined,
    b: undefined,
  })
})
