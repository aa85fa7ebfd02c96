import { messages } from '@trunkline/contract/messages/phone-number'
import { describe, expect, it } from 'vitest'
import { mostRows, namesAnything, readFile, refuseTwins, resolve, type Catalogue, type Line } from './import-file'

const sid = (digit: string) => `${digit.repeat(8)}-0000-4000-8000-000000000000`
const catalogue: Catalogue = {
  carriers: [
    { sid: 'c1', name: 'Trunk' },
    { sid: 'c2', name: 'Twin' },
    { sid: 'c3', name: 'twin' },
  ],
  accounts: [{ sid: 'a1', name: 'Acme' }],
  applications: [
    { sid: 'p1', name: 'Desk', account_sid: 'a1' },
    { sid: 'p2', name: 'Desk', account_sid: 'a2' },
  ],
}

const linesOf = (text: string): Line[] => {
  const read = readFile(text)
  if ('why' in read) throw new Error(read.why)
  return read.lines
}

describe('reading a file of phone numbers', () => {
  it.each([
    ['nothing', '', messages.import.noColumn],
    ['other columns', 'name,colour\na,b', messages.import.noColumn],
    ['no rows', 'number,carrier\n', messages.import.noRows],
    ['too many rows', `number\n${'1\n'.repeat(mostRows + 1)}`, messages.import.tooMany(mostRows)],
  ])('refuses a file with %s', (_, text, why) => {
    expect(readFile(text)).toEqual({ why })
  })

  it('recognizes columns by wire names and by common names', () => {
    expect(linesOf('Carrier,Phone number,colour\nTrunk,+1 617,red')).toEqual([
      { line: 2, number: '+1 617', carrier: 'Trunk' },
    ])
    const exported = 'number,voip_carrier_sid,account_sid,application_sid,account_name\n1,c,,p,Acme'
    expect(linesOf(exported)).toEqual([{ line: 2, number: '1', carrier: 'c', account: 'Acme', application: 'p' }])
  })

  it('counts lines as an editor does', () => {
    expect(linesOf('number,carrier\n\n1,"a\nb"\n2,c').map(({ line, number }) => [line, number])).toEqual([
      [3, '1'],
      [5, '2'],
    ])
  })

  it.each([
    [[{ line: 2, number: '1', carrier: sid('1'), account: '' }], false],
    [[{ line: 2, number: '1', carrier: 'Trunk' }], true],
  ])('looks up records only if lines refer to them by name', (lines, wanted) => {
    expect(namesAnything(lines)).toBe(wanted)
  })
})

describe('resolving a line of the file', () => {
  const one = (more: Partial<Line>, own?: string) => resolve([{ line: 2, number: '1', ...more }], catalogue, own)[0]!

  it.each<[string, Partial<Line>, object]>([
    ['a number as people write it', { number: '+1 (617) 555-0100' }, { number: '+16175550100' }],
    ['names in any case', { carrier: 'TRUNK', account: 'acme' }, { voip_carrier_sid: 'c1', account_sid: 'a1' }],
    ['sids', { carrier: sid('3') }, { voip_carrier_sid: sid('3') }],
    ['the application of its account', { account: 'Acme', application: 'desk' }, { application_sid: 'p1' }],
    ['empty cells', { account: '', application: '' }, { account_sid: null, application_sid: null }],
  ])('accepts %s', (_, line, sent) => {
    expect(one(line).sent).toMatchObject(sent)
    expect(one(line).fault).toBeUndefined()
  })

  it('sends nothing for a column that the file does not have', () => {
    expect(Object.keys(one({ carrier: 'Trunk' }).sent)).toEqual(['number', 'voip_carrier_sid'])
  })

  it("assigns an account user's numbers to their account, regardless of the account column", () => {
    expect(one({ account: 'Other' }, sid('9')).sent.account_sid).toBe(sid('9'))
  })

  it.each<[Partial<Line>, string, string]>([
    [{ carrier: 'Nobody' }, 'voip_carrier_sid', messages.import.unknownRecord('carrier', 'Nobody')],
    [{ carrier: 'Twin' }, 'voip_carrier_sid', messages.import.ambiguousRecord('carrier', 'Twin')],
    [{ account: 'Nobody' }, 'account_sid', messages.import.unknownRecord('account', 'Nobody')],
    [{ application: 'Desk' }, 'application_sid', messages.import.ambiguousRecord('application', 'Desk')],
    [
      { carrier: 'Nobody', account: 'Nowhere', application: 'Nothing' },
      'voip_carrier_sid',
      [
        messages.import.unknownRecord('carrier', 'Nobody'),
        messages.import.unknownRecord('account', 'Nowhere'),
        messages.import.unknownRecord('application', 'Nothing'),
      ].join(' '),
    ],
  ])('reports the errors of %o', (line, field, msg) => {
    expect(one(line).fault).toEqual({ fate: 'wrong', field, msg })
  })

  it('allows a number once per carrier', () => {
    const lines = [
      { line: 2, number: '+1', carrier: 'Trunk' },
      { line: 3, number: '1', carrier: sid('2') },
      { line: 4, number: '1', carrier: 'Trunk' },
    ]
    expect(resolve(lines, catalogue, undefined).map(({ fault }) => fault?.msg)).toEqual([
      undefined,
      undefined,
      messages.duplicateLine(2),
    ])
  })
  it('adds a number to one carrier only, and changes it on each carrier that has it', () => {
    const numbers = ['+1', '1', '2', '2', '3', '3']
    const fates = ['add', 'add', 'change', 'same', 'add', 'wrong'] as const
    const entries = resolve(
      numbers.map((number, at) => ({ line: 10 * at, number, carrier: sid(String(at)) })),
      catalogue,
      undefined,
    )
    const rows = entries.map((entry, at) => ({ entry, fate: { fate: fates[at]!, field: 'application_sid' } }))
    expect(refuseTwins(rows).map(({ fate: { fate, msg } }) => msg ?? fate)).toEqual([
      'add',
      messages.duplicateLine(0),
      'change',
      'same',
      'add',
      'wrong',
    ])
  })
})
