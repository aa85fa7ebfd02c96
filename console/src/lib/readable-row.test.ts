import { expect, it } from 'vitest'
import { toReadableRow } from './readable-row'

it('converts objects and lists to JSON without secrets, except in columns that contain them', () => {
  const row = {
    name: { first: 'a', api_key: 'b' },
    number: 15550000011,
    is_active: 1,
    sip_realm: ['a'],
    account_sid: null,
    call_hook: { url: { host: 'a' }, method: 'POST' },
    env_vars: { A: { b: 1 } },
  }
  expect(toReadableRow(row)).toEqual({
    name: '{"first":"a"}',
    number: '15550000011',
    is_active: 1,
    sip_realm: '["a"]',
    account_sid: null,
    call_hook: { url: '{"host":"a"}', method: 'POST' },
    env_vars: { A: { b: 1 } },
  })
})
