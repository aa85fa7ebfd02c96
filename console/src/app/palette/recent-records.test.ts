import { afterEach, describe, expect, it } from 'vitest'
import { localValues } from '../../lib/storage'
import { getRecentRecords, rememberRecord, type RecentRecord } from './recent-records'

const actor = { scope: 'admin', user_sid: 'u-1' } as const
const createRecord = (sid: string, provider = 'p-1'): RecentRecord => ({ kind: 'account', sid, name: sid, provider })
const getSids = (currentSid?: string) => getRecentRecords(actor, 'p-1', currentSid).map(({ sid }) => sid)

afterEach(() => localStorage.clear())

describe('the records that were opened last', () => {
  it('start with the newest, and contain each record once', () => {
    for (const sid of ['a', 'b', 'a', 'c']) rememberRecord(actor, createRecord(sid))
    expect(getSids()).toEqual(['c', 'a', 'b'])
    expect(getSids('c')).toEqual(['a', 'b'])
  })

  it('belong to one user and one service provider', () => {
    rememberRecord(actor, createRecord('a'))
    rememberRecord(actor, createRecord('b', 'p-2'))
    expect(getSids()).toEqual(['a'])
    expect(getRecentRecords({ scope: 'admin', user_sid: 'u-2' }, 'p-1', undefined)).toEqual([])
  })

  it.each(['{', 'null', '[]', '"x"', '{"user":"u-1"}', '{"user":"u-1","records":[null,1,{"kind":"account","sid":7}]}'])(
    'are none if the stored text is %j',
    (text) => {
      localValues.recentRecords.set(text)
      expect(getSids()).toEqual([])
    },
  )
})
