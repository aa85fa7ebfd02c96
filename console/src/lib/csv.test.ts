import { describe, expect, it } from 'vitest'
import { formatCsvHeader, formatCsvLine, parseCsv } from './csv'

const cellsOf = (text: string) => parseCsv(text).map(({ cells }) => cells)

describe('CSV', () => {
  it.each<[string, string, string[][]]>([
    [
      'of lines and cells',
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'without a final line break',
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'with other separators inside quotes in the first line',
      '"a,b,c";d\n1;2',
      [
        ['a,b,c', 'd'],
        ['1', '2'],
      ],
    ],
    [
      'with a line break inside quotes in the first line',
      '"a\nb";c;d\n1;2;3',
      [
        ['a\nb', 'c', 'd'],
        ['1', '2', '3'],
      ],
    ],
    [
      'with a quote inside a cell that is not quoted',
      'size 5";b\n1;2',
      [
        ['size 5"', 'b'],
        ['1', '2'],
      ],
    ],
    ['with the byte order mark of Excel', '\ufeffa\r\n1', [['a'], ['1']]],
    [
      'separated by semicolons',
      'a;b\n1,5;2',
      [
        ['a', 'b'],
        ['1,5', '2'],
      ],
    ],
    [
      'separated by tabs',
      'a\tb\n1\t2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'with quotes, separators and line breaks in cells',
      '"a ""b""","c,d"\n"e\nf",g',
      [
        ['a "b"', 'c,d'],
        ['e\nf', 'g'],
      ],
    ],
    [
      'with spaces around cells, and empty cells',
      ' a , b\n,2\n',
      [
        ['a', 'b'],
        ['', '2'],
      ],
    ],
    ['with empty lines', 'a\n\n\r\n,\nb', [['a'], ['b']]],
    [
      'that ends with a separator',
      'a,\n1,',
      [
        ['a', ''],
        ['1', ''],
      ],
    ],
    ['with an unclosed quote', 'a\n"b', [['a'], ['b']]],
    ['that is empty', '', []],
  ])('parses a table %s', (_, text, lines) => {
    expect(cellsOf(text)).toEqual(lines)
  })

  it('reports the line of the file on which each row starts', () => {
    const text = 'a,b\r\n\r\n1,"two\nlines"\r\n,\r\n3,"and\r\nthree\n"\n4,'
    expect(parseCsv(text).map(({ line, cells }) => [line, cells[0]])).toEqual([
      [1, 'a'],
      [3, '1'],
      [6, '3'],
      [9, '4'],
    ])
  })

  it('round-trips any cell text', () => {
    const cells = [
      'plain',
      'a "quote"',
      'one,two',
      'two\nlines',
      ' blanks ',
      '=1+1',
      '-x',
      '+49 30',
      '@me',
      "'x",
      "'=x",
      'Zürich',
    ]
    expect(cellsOf(formatCsvHeader(['a', 'b']) + formatCsvLine(cells))).toEqual([['a', 'b'], cells])
  })

  it('prefixes formulas so that spreadsheets do not run them, but not numbers', () => {
    expect(formatCsvLine(['=HYPERLINK("x")', '+16175550100', '-5'])).toBe(`"'=HYPERLINK(""x"")",+16175550100,-5\r\n`)
  })
})
