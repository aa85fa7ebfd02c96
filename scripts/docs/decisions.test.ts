import { describe, expect, it } from 'vitest'
import { formatDecisionsTable, parseDecision } from './decisions'

const record = (number: string, status = 'accepted') => ({
  file: `${number}-a-title.md`,
  text: `# ${number}. A title\n\nDate: 2026-11-23\\\nStatus: ${status}\n\nText.\n`,
})

describe('the table of decisions', () => {
  it('has a row for each record and for each unused number', () => {
    expect(
      formatDecisionsTable([record('0001'), record('0003', 'superseded by 0004')])
        .split('\n')
        .slice(3),
    ).toEqual([
      '| [0001](0001-a-title.md) | A title | 2026-11-23 | accepted |',
      expect.stringMatching(/^\| 0002 \| Never used/),
      '| [0003](0003-a-title.md) | A title | 2026-11-23 | superseded by 0004 |',
    ])
  })

  it('refuses a record without date and status, or with a number that differs from the file name', () => {
    expect(() => parseDecision('0001-a-title.md', '# 0001. A title\n\nText.\n')).toThrow(
      '0001-a-title.md must begin with',
    )
    expect(() => parseDecision('0002-a-title.md', record('0001').text)).toThrow('has the number 0001')
  })
})
