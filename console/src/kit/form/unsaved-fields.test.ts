import { describe, expect, it } from 'vitest'
import { findUnsavedFields } from './unsaved-fields'

const names = ['name', 'call_hook.url', 'call_hook.method', 'tags']

describe('the fields with unsaved changes', () => {
  it.each([
    [{}, []],
    [{ name: false, call_hook: { url: false } }, []],
    [{ call_hook: { method: true, url: true }, name: true }, ['name', 'call_hook.url', 'call_hook.method']],
    [{ tags: [{ Key: true, Value: true }, { Key: true }] }, ['tags']],
    [{ gateways: [{ ipv4: true }, { port: true }], name: true }, ['name', 'gateways']],
  ])('of %j are %j', (dirtyFields, fields) => {
    expect(findUnsavedFields(dirtyFields, names)).toEqual(fields)
  })
})
