import type { MantineColorsTuple } from '@mantine/core'

const amber: MantineColorsTuple = [
  '#fff7eb',
  '#ffeed3',
  '#fedca5',
  '#fec468',
  '#f5a939',
  '#d88620',
  '#ab6019',
  '#8b4a16',
  '#6d3711',
  '#4d250c',
]

/** The ramps as Mantine wants them: from the lightest to the darkest; of 'dark', from the text to the deepest. */
export const colors = {
  trunk: ['#f2f6fe', '#e2ebfe', '#c6d7ff', '#a0bdff', '#789ffe', '#527ef6', '#335de0', '#274bc6', '#1e3ca2', '#162d76'],
  gray: ['#f8fafc', '#f2f4f7', '#e5e8ed', '#d7dbe1', '#b8bec7', '#818a96', '#616a77', '#454e5a', '#282e38', '#10151c'],
  dark: ['#e7eaee', '#b6bbc2', '#969ca6', '#717884', '#2f343e', '#232830', '#191d23', '#111419', '#0c0e13', '#06080c'],
  green: ['#edfbf1', '#d6f6e0', '#b0eec4', '#7edea2', '#52c783', '#2ca867', '#1b854f', '#146c3f', '#0e5430', '#0a3a21'],
  amber,
  yellow: amber,
  red: ['#fef3f2', '#ffe3e1', '#fec8c5', '#fea3a0', '#f97371', '#e94649', '#cb242d', '#aa1922', '#88131a', '#621012'],
} satisfies Record<string, MantineColorsTuple>
