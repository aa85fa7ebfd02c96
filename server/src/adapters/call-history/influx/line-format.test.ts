import { expect, it } from 'vitest'
import { formatLine } from './line-format'

const timeNs = 1n

it('escapes separators, and removes backslashes before them', () => {
  const tags = { vendor: 'a, b=c\\', account_sid: 'x' }
  expect(formatLine('alerts', { tags, fields: { 'the message': '"\\' }, timeNs })).toBe(
    'alerts,account_sid=x,vendor=a\\,\\ b\\=c the\\ message="\\"\\\\" 1',
  )
})

it('leaves out tags and keys that are empty or consist of backslashes', () => {
  const tags = { account_sid: 'x', vendor: '\\', alert_type: '\\\\\\', direction: '', '\\': 'a' }
  const fields = { '\\\\': 1, '': 2, message: 'm' }
  expect(formatLine('alerts', { tags, fields, timeNs })).toBe('alerts,account_sid=x message="m" 1')
  expect(formatLine('alerts', { tags, fields: { '\\': 1 }, timeNs })).toBeUndefined()
})
