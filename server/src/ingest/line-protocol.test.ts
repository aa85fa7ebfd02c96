import { describe, expect, it } from 'vitest'
import { lineOf } from '../adapters/call-history/influx/line-format'
import { maxLineLength, maxReportedErrors, readLines, type ParsedBatch } from './line-protocol'

const readAll = (body: string, unit = 1n): ParsedBatch => {
  const parts = [...readLines(body, unit)]
  return { lines: parts.flatMap(({ lines: body }) => body), errors: parts.flatMap(({ errors }) => errors) }
}

const single = (line: string, unit = 1n) => {
  const { lines: said, errors } = readAll(line, unit)
  return errors[0]?.reason ?? said[0]
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
    expect(single(line)).toEqual({
      line: 1,
      measurement: 'cdrs',
      point: { tags, fields, ...(time === undefined ? {} : { time }) },
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
    expect(single(line)).toBe(`unable to parse line 1 '${line}': ${reason}`)
  })

  it('has its time in the given unit', () => {
    expect(single('cdrs f=1 12', 1_000_000n)).toMatchObject({ point: { time: 12_000_000n } })
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
    const { lines: said, errors } = readAll(body)
    expect(said.map(({ line, point }) => [line, point.time])).toEqual([
      [3, 1n],
      [5, 2n],
      [8, 4n],
    ])
    expect(errors.map(({ line }) => line)).toEqual([4, 7])
  })

  it('are parsed as they are written', () => {
    const point = {
      tags: { host: 'a b,c=d', trunk: 'Zoë' },
      fields: { text: 'with "quotes", \\ and\na line', on: true, number: 0.5, 'a name=': 'x' },
      time: 1n,
    }
    const { lines: said, errors } = readAll(lineOf('cdrs', point)!)
    expect(errors).toEqual([])
    expect(said[0]?.point).toEqual(point)
  })

  it('are parsed in linear time, however long a run of one character is', () => {
    const [spaces, digits] = [' ', '1'].map((sign) => sign.repeat(20_000))
    expect(single(`cdrs${spaces}f=1${spaces}5`)).toMatchObject({ point: { fields: { f: 1 }, time: 5n } })
    expect(single(`cdrs f=1${spaces}x`)).toMatch(/: bad timestamp$/)
    for (const value of [`${digits}x`, `${digits}.${digits}x`, `1e${digits}`, `${digits}`])
      expect(single(`cdrs f=${value}`)).toMatch(/: invalid number$/)
    expect(single(`cdrs f=1 ${digits}`)).toMatch(/: bad timestamp$/)
  })

  it('with errors are all counted, and the first ones are described', () => {
    const { errors } = readAll('x\n'.repeat(3000))
    expect(errors.map(({ line }) => line)).toEqual(Array.from({ length: 3000 }, (_, index) => index + 1))
    expect(errors.filter(({ reason }) => reason !== '').map(({ line }) => line)).toEqual(
      Array.from({ length: maxReportedErrors }, (_, index) => index + 1),
    )
  })

  /** Pseudorandom numbers, the same in every run. */
  const lot = (seed: number) => () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed / 2_147_483_648
  }

  it('with random content are parsed or rejected', () => {
    const next = lot(7)
    const pick = <Item>(from: readonly Item[]) => from[Math.floor(next() * from.length)]!
    const signs = [...',,,===   """\\\\\n\n#aft1.-+eiu\0\r\tñ☎'] as const
    const good = 'cdrs,account_sid=a,host=b\\ c call_sid="x",duration=3,note="say \\"hi\\"" 1700000000000000000\n'
    for (let round = 0; round < 5000; round += 1) {
      const body = [...good.repeat(1 + Math.floor(next() * 3))]
      for (let change = Math.floor(next() * 12); change >= 0; change -= 1) {
        const timestamp = Math.floor(next() * body.length)
        body.splice(
          timestamp,
          Math.floor(next() * 3),
          ...Array.from({ length: Math.floor(next() * 4) }, () => pick(signs)),
        )
      }
      const text = body.join('')
      const { lines: said, errors } = readAll(text)
      const lines = text.split('\n').length
      for (const { line } of [...said, ...errors]) expect(line >= 1 && line <= lines).toBe(true)
      for (const { measurement, point } of said) {
        expect(measurement).not.toBe('')
        expect(Object.keys(point.fields).length).toBeGreaterThan(0)
        for (const value of Object.values(point.fields))
          expect(
            typeof value === 'number' ? Number.isFinite(value) : ['string', 'boolean'].includes(typeof value),
          ).toBe(true)
      }
    }
  })

  it('of great length are parsed once', () => {
    const body = `cdrs ${'a\\,'.repeat(20_000)}=1\n${'"'.repeat(60_000)}\ncdrs f="${'\\\\'.repeat(30_000)}"`
    const { lines: said, errors } = readAll(body)
    expect([said.length, errors.length]).toEqual([2, 1])
  })

  it('that are too long are rejected by number, and the others are stored', () => {
    const { lines: said, errors } = readAll(`cdrs f=1\ncdrs f="${'x\n'.repeat(maxLineLength)}"\ncdrs f=2`)
    expect(said.map(({ line }) => line)).toEqual([1, maxLineLength + 3])
    expect(errors).toMatchObject([{ line: 2, reason: expect.stringMatching(/longer than \d+ characters$/) as string }])
  })

  it('are returned in batches of limited size', () => {
    for (const body of ['x\n', '\n', 'cdrs f=1\n'].map((line) => line.repeat(10_000)))
      for (const { lines: said, errors } of readLines(body, 1n))
        expect(said.length + errors.length).toBeLessThanOrEqual(1000)
    expect([...readLines('\n'.repeat(10_000), 1n)].length).toBeGreaterThanOrEqual(10)
    expect([...readLines(`cdrs f="${'x'.repeat(60_000)}"\n`.repeat(40), 1n)].length).toBeGreaterThanOrEqual(5)
  })
})
