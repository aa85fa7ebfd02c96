interface Decision {
  number: string
  file: string
  title: string
  date: string
  status: string
}

/** Parses the header of a decision record: `# 0001. Title`, then `Date: …` and `Status: …`. */
export const parseDecision = (file: string, text: string): Decision => {
  const head = /^# (\d{4})\. (.+)\n\nDate: (\d{4}-\d\d-\d\d)\\\nStatus: (.+)\n/.exec(text)
  if (!head)
    throw new Error(`${file} must begin with '# NNNN. Title', a blank line, 'Date: YYYY-MM-DD\\' and 'Status: …'.`)
  const [, number = '', title = '', date = '', status = ''] = head
  if (!file.startsWith(`${number}-`)) throw new Error(`${file} has the number ${number} in its title.`)
  return { number, file, title, date, status }
}

const listUnusedNumbers = (decisions: Decision[]): string[] => {
  const used = new Set(decisions.map(({ number }) => Number(number)))
  return Array.from({ length: Math.max(...used) }, (_, index) => index + 1)
    .filter((number) => !used.has(number))
    .map((number) => String(number).padStart(4, '0'))
}

/** The table of docs/decisions/README.md, including a row for each unused number. */
export const formatDecisionsTable = (files: { file: string; text: string }[]): string => {
  const decisions = files.map(({ file, text }) => parseDecision(file, text))
  const rows = [
    ...decisions.map(
      ({ number, file, title, date, status }) => `| [${number}](${file}) | ${title} | ${date} | ${status} |`,
    ),
    ...listUnusedNumbers(decisions).map(
      (number) => `| ${number} | Never used: no record was written under this number. | | |`,
    ),
  ]
  return [
    '<!-- prettier-ignore -->',
    '| Number | Decision | Date | Status |',
    '| --- | --- | --- | --- |',
    ...rows.sort((a, b) => Number(/\d{4}/.exec(a)?.[0]) - Number(/\d{4}/.exec(b)?.[0])),
  ].join('\n')
}
