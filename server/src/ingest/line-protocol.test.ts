import { describe, expect, it } from 'vitest'
import { formatLine } from '../adapters/call-history/influx/line-format'
import { maxLineLength, maxReportedErrors, readLines, type ParsedBatch } from './line-protocol'

const readAll = (body: string, nsPerUnit = 1n): ParsedBatch => {
  const batches = [...readLines(body, nsPerUnit)]
  return { lines: batches.flatMap(({ lines }) => lines), errors: batches.flatMap(({ errors }) => errors) }
}

const readLine = (line: string, nsPerUnit = 1n) => {
  const { lines: parsedLines, errors } = readAll(line, nsPerUnit)
  return errors[0]?.reason ?? parsedLines[0]
}

describe('a line', () => {
  it.each([
    ['cdrs value=1', {}, { value: 1 }, undefined],
    ['cdrs,a=b value=1i 5', { a: 'b' }, { value: 1 }, 5n],
    ['  cdrs,a=b   value=1u   5  ', { a: 'b' }, { value: 1 }, 5n],
    ['cdrs,a=b,c=d x=-1.5e3,y=t,z=FALSE 7', { a: 'b', c: 'd' }, { x: -1500, y: true, z: false }, 7n],
    ['cdrs,a\\,b=c\\ d\\=e f="g,h=i \\"j\\" \\\\k" 9', { 'a,b': 'c d=e' }, { f: 'g,h=i "j" \\k' }, 9n],
    ['cdrs,a="b f="one\ntwo" 9', { a: '"b' }, { f: 'one\ntwo' }, 9n],
    ['cdrs,a=b\\c f="" -9', { a: 'b\\c' }, { f: '' }, -9n],
    ['cdrs f="Zoë ☎",__proto__=1', {}, JSON.parse('{"f":"Zoë ☎","__proto__":1}'), undefined],
  ])('%j is parsed', (line, tags, fields, time) => {
    expect(readLine(line)).toEqual({
      line: 1,
      measurement: 'cdrs',
      point: { tags, fields, ...(time === undefined ? {} : { timeNs: time }) },
    })
  })

  it.each([
    ['cdrs', 'missing fields'],
    ['cdrs,a=b', 'missing fields'],
    ['cdrs,a f=1', 'missing tag value'],
    ['cdrs,=b f=1', 'missing tag key'],
    ['cdrs,a=b=c f=1', 'invalid tag format'],
    [',a=b f=1', 'missing measurement'],
    ['cdrs f', 'missing field value'],
    ['cdrs f=', 'missing field value'],
    ['cdrs =1', 'missing field key'],
    ['cdrs f=undefined', 'invalid number'],
    ['cdrs f=NaN', 'invalid number'],
    ['cdrs f=1e999', 'invalid number'],
    ['cdrs f=constructor', 'invalid number'],
    ['cdrs f="open', 'unbalanced quotes'],
    ['cdrs f="a"b', 'invalid field format'],
    ['cdrs f=1 soon', 'bad timestamp'],
    ['cdrs f=1 12345678901234567890', 'bad timestamp'],
  ])('%j is rejected: %s', (line, reason) => {
    expect(readLine(line)).toBe(`unable to parse line 1 '${line}': ${reason}`)
  })

  it('has a timestamp in the unit that the request names', () => {
    expect(readLine('cdrs f=1 12', 1_000_000n)).toMatchObject({ point: { timeNs: 12_000_000n } })
  })
})

describe('lines', () => {
  it('are parsed separately and reported by number', () => {
    const body = [
      '# a comment',
      '',
      'cdrs f=1 1',
      'cdrs,',
      'cdrs f="two',
      'lines" 2',
      'cdrs f=x 3\r',
      'cdrs f=4 4\r',
    ].join('\n')
    const { lines: parsedLines, errors } = readAll(body)
    expect(parsedLines.map(({ line, point }) => [line, point.timeNs])).toEqual([
      [3, 1n],
      [5, 2n],
      [8, 4n],
    ])
    expect(errors.map(({ line }) => line)).toEqual([4, 7])
  })

  it('that this server has formatted are parsed to the same points', () => {
    const point = {
      tags: { host: 'a b,c=d', trunk: 'Zoë' },
      fields: { text: 'with "quotes", \\ and\na line', on: true, number: 0.5, 'a name=': 'x' },
      timeNs: 1n,
    }
    const { lines: parsedLines, errors } = readAll(formatLine('cdrs', point)!)
    expect(errors).toEqual([])
    expect(parsedLines[0]?.point).toEqual(point)
  })

  it('are parsed in linear time, however long a run of one character is', () => {
    const [spaces, digits] = [' ', '1'].map((character) => character.repeat(20_000))
    expect(readLine(`cdrs${spaces}f=1${spaces}5`)).toMatchObject({ point: { fields: { f: 1 }, timeNs: 5n } })
    expect(readLine(`cdrs f=1${spaces}x`)).toMatch(/: bad timestamp$/)
    for (const value of [`${digits}x`, `${digits}.${digits}x`, `1e${digits}`, `${digits}`])
      expect(readLine(`cdrs f=${value}`)).toMatch(/: invalid number$/)
    expect(readLine(`cdrs f=1 ${digits}`)).toMatch(/: bad timestamp$/)
  })

  it('with errors are all counted, and the first ones are described', () => {
    const { errors } = readAll('x\n'.repeat(3000))
    expect(errors.map(({ line }) => line)).toEqual(Array.from({ length: 3000 }, (_, index) => index + 1))
    expect(errors.filter(({ reason }) => reason !== '').map(({ line }) => line)).toEqual(
      Array.from({ length: maxReportedErrors }, (_, index) => index + 1),
    )
  })

  /** Pseudorandom numbers, the same in every run. */
  const createRandom = (seed: number) => () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed / 2_147_483_648
  }

  it('with random content are parsed or rejected', () => {
    const nextRandom = createRandom(7)
    const pick = <Item>(items: readonly Item[]) => items[Math.floor(nextRandom() * items.length)]!
    const characters = [...',,,===   """\\\\\n\n#aft1.-+eiu\0\r\tñ☎'] as const
    const validLine = 'cdrs,account_sid=a,host=b\\ c call_sid="x",duration=3,note="say \\"hi\\"" 1700000000000000000\n'
    for (let round = 0; round < 5000; round += 1) {
      const body = [...validLine.repeat(1 + Math.floor(nextRandom() * 3))]
      for (let change = Math.floor(nextRandom() * 12); change >= 0; change -= 1) {
        const position = Math.floor(nextRandom() * body.length)
        body.splice(
          position,
          Math.floor(nextRandom() * 3),
          ...Array.from({ length: Math.floor(nextRandom() * 4) }, () => pick(characters)),
        )
      }
      const text = body.join('')
      const { lines: parsedLines, errors } = readAll(text)
      const lineCount = text.split('\n').length
      for (const { line } of [...parsedLines, ...errors]) expect(line >= 1 && line <= lineCount).toBe(true)
      for (const { measurement, point } of parsedLines) {
        expect(measurement).not.toBe('')
        expect(Object.keys(point.fields).length).toBeGreaterThan(0)
        for (const value of Object.values(point.fields))
          expect(
            typeof value === 'number' ? Number.isFinite(value) : ['string', 'boolean'].includes(typeof value),
          ).toBe(true)
      }
    }
  })

  it('of great length are parsed or rejected', () => {
    const body = `cdrs ${'a\\,'.repeat(20_000)}=1\n${'"'.repeat(60_000)}\ncdrs f="${'\\\\'.repeat(30_000)}"`
    const { lines: parsedLines, errors } = readAll(body)
    expect([parsedLines.length, errors.length]).toEqual([2, 1])
  })

  it('that are too long are reported with their number, and the others are parsed', () => {
    const { lines: parsedLines, errors } = readAll(`cdrs f=1\ncdrs f="${'x\n'.repeat(maxLineLength)}"\ncdrs f=2`)
    expect(parsedLines.map(({ line }) => line)).toEqual([1, maxLineLength + 3])
    expect(errors).toMatchObject([{ line: 2, reason: expect.stringMatching(/longer than \d+ characters$/) as string }])
  })

  it('are returned in batches of limited size', () => {
    for (const body of ['x\n', '\n', 'cdrs f=1\n'].map((line) => line.repeat(10_000)))
      for (const { lines: parsedLines, errors } of readLines(body, 1n))
        expect(parsedLines.length + errors.length).toBeLessThanOrEqual(1000)
    expect([...readLines('\n'.repeat(10_000), 1n)].length).toBeGreaterThanOrEqual(10)
    expect([...readLines(`cdrs f="${'x'.repeat(60_000)}"\n`.repeat(40), 1n)].length).toBeGreaterThanOrEqual(5)
  })
})
