import { expect, it } from 'vitest'
import { buildObjectMetadata } from './metadata'

it('keeps a tag that is named like a property of every object', () => {
  const tags = [
    { Key: 'constructor', Value: 'Acme' },
    { Key: 'to', Value: 'ignored' },
  ]
  expect(Object.entries(buildObjectMetadata({ accountSid: 'a', to: '1555' }, tags))).toEqual([
    ['accountSid', 'a'],
    ['to', '1555'],
    ['constructor', 'Acme'],
  ])
})
