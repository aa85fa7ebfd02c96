import { messages } from '@trunkline/contract/messages/phone-number'
import { describe, expect, it } from 'vitest'
import {
  maxRows,
  refersByName,
  parseFile,
  refuseDuplicates,
  resolveLines,
  type ImportRecords,
  type ImportLine,
} from './import-file'

const createSid = (digit: string) => `${digit.repeat(8)}-0000-4000-8000-000000000000`
const records: ImportRecords = {
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

const parseLines = (text: string): ImportLine[] => {
  const result = parseFile(text)
  if ('error' in result) throw new Error(result.error)
  return result.lines
}

describe('reading a file of phone numbers', () => {
  it.each([
    ['nothing', '', messages.import.noColumn],
    ['other columns', 'name,colour\na,b', messages.import.noColumn],
    ['no rows', 'number,carrier\n', messages.import.noRows],
    ['too many rows', `number\n${'1\n'.repeat(maxRows + 1)}`, messages.import.tooMany(maxRows)],
  ])('refuses a file with %s', (_, text, error) => {
    expect(parseFile(text)).toEqual({ error })
  })

  it('recognizes columns by API names and by common names', () => {
    expect(parseLines('Carrier,Phone number,colour\nTrunk,+1 617,red')).toEqual([
      { lineNumber: 2, number: '+1 617', carrier: 'Trunk' },
    ])
    const exportedFile = 'number,voip_carrier_sid,account_sid,application_sid,account_name\n1,c,,p,Acme'
    expect(parseLines(exportedFile)).toEqual([
      { lineNumber: 2, number: '1', carrier: 'c', account: 'Acme', application: 'p' },
    ])
  })

  it('numbers the lines as a text editor does, with empty lines and line breaks in cells', () => {
    expect(parseLines('number,carrier\n\n1,"a\nb"\n2,c').map(({ lineNumber, number }) => [lineNumber, number])).toEqual(
      [
        [3, '1'],
        [5, '2'],
      ],
    )
  })

  it('detects cells with the name of a record instead of its SID', () => {
    expect(refersByName([{ lineNumber: 2, number: '1', carrier: 'Trunk' }])).toBe(true)
    expect(refersByName([{ lineNumber: 2, number: '1', carrier: createSid('1'), account: '' }])).toBe(false)
  })
})

describe('resolving a line of the file', () => {
  const resolveOne = (cells: Partial<ImportLine>, ownAccountSid?: string) =>
    resolveLines([{ lineNumber: 2, number: '1', ...cells }], records, ownAccountSid)[0]!

  it.each<[string, Partial<ImportLine>, object]>([
    ['a number as people write it', { number: '+1 (617) 555-0100' }, { number: '+16175550100' }],
    ['names in any case', { carrier: 'TRUNK', account: 'acme' }, { voip_carrier_sid: 'c1', account_sid: 'a1' }],
    ['SIDs', { carrier: createSid('3') }, { voip_carrier_sid: createSid('3') }],
    ['the application of its account', { account: 'Acme', application: 'desk' }, { application_sid: 'p1' }],
    ['empty cells', { account: '', application: '' }, { account_sid: null, application_sid: null }],
  ])('accepts %s', (_, line, body) => {
    expect(resolveOne(line).body).toMatchObject(body)
    expect(resolveOne(line).error).toBeUndefined()
  })

  it('sends nothing for a column that the file does not have', () => {
    expect(Object.keys(resolveOne({ carrier: 'Trunk' }).body)).toEqual(['number', 'voip_carrier_sid'])
  })

  it("assigns an account user's numbers to their account, regardless of the account column", () => {
    expect(resolveOne({ account: 'Other' }, createSid('9')).body.account_sid).toBe(createSid('9'))
  })

  it.each<[Partial<ImportLine>, string, string]>([
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
    expect(resolveOne(line).error).toEqual({ fate: 'wrong', field, msg })
  })

  it('allows a number once per carrier', () => {
    const lines = [
      { lineNumber: 2, number: '+1', carrier: 'Trunk' },
      { lineNumber: 3, number: '1', carrier: createSid('2') },
      { lineNumber: 4, number: '1', carrier: 'Trunk' },
    ]
    expect(resolveLines(lines, records, undefined).map(({ error }) => error?.msg)).toEqual([
      undefined,
      undefined,
      messages.duplicateLine(2),
    ])
  })

  it('adds a number to one carrier only, and changes it on each carrier that has it', () => {
    const numbers = ['+1', '1', '2', '2', '3', '3']
    const outcomes = ['add', 'add', 'change', 'same', 'add', 'wrong'] as const
    const entries = resolveLines(
      numbers.map((number, index) => ({ lineNumber: 10 * index, number, carrier: createSid(String(index)) })),
      records,
      undefined,
    )
    const rows = entries.map((entry, index) => ({
      entry,
      outcome: { fate: outcomes[index]!, field: 'application_sid' },
    }))
    expect(refuseDuplicates(rows).map(({ outcome: { fate, msg } }) => msg ?? fate)).toEqual([
      'add',
      messages.duplicateLine(0),
      'change',
      'same',
      'add',
      'wrong',
    ])
  })
})
