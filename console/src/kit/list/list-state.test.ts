import { describe, expect, it } from 'vitest'
import { readListState, writeListState } from './list-state'

const usual = { by: 'name', desc: false }

describe('the list state', () => {
  it('has default values if the URL sets none', () => {
    expect(readListState({}, ['status'], usual)).toEqual({
      text: '',
      account: '',
      picks: {},
      sort: usual,
      page: 1,
      pageSize: 25,
    })
    expect(writeListState(readListState({}, [], usual), usual)).toEqual({})
  })

  it('is written to the URL and read from it', () => {
    const search = { text: 'acme', account: 'sid', status: 'on', sort: '-created_at', page: '3', page_size: '50' }
    const look = readListState(search, ['status'], usual)
    expect(look).toEqual({
      text: 'acme',
      account: 'sid',
      picks: { status: 'on' },
      sort: { by: 'created_at', desc: true },
      page: 3,
      pageSize: 50,
    })
    expect(writeListState(look, usual)).toEqual(search)
  })

  it.each([
    { page: '0' },
    { page: '-1' },
    { page: '1.5' },
    { page: 'x' },
    { page_size: '26' },
    { page_size: '1e9' },
    { sort: '' },
    { sort: '--name' },
    { sort: "name' or 1" },
    { other: 'x' },
  ])('ignores %j', (search) => {
    expect(readListState(search, [], usual)).toEqual(readListState({}, [], usual))
  })
})
