import { settingGroups, type SettingGroup } from '../../server/src/config/descriptions'
import { settingDefinitions } from '../../server/src/config/settings'

interface Schema {
  rule: {
    safeParse: (value: unknown) => {
      success: boolean
      data?: string | number | boolean | readonly string[] | Record<string, string>
    }
  }
  aliases?: readonly string[]
}

const schemas: Record<string, Schema> = settingDefinitions

const formatCode = (text: string) => `\`${text}\``

/** The value that the schema returns for an absent variable. */
const formatDefault = ({ rule }: Schema): string => {
  const { data } = rule.safeParse(undefined)
  if (data === undefined || data === '') return ''
  if (typeof data !== 'object') return formatCode(String(data))
  // A list; a record of names and values has no default.
  const values = Object.values(data)
  return values.length === 0 ? '' : formatCode(values.join(','))
}

const rowsOf = ({ settings: descriptions }: SettingGroup): string[] =>
  Object.entries(descriptions).map(([name, entry]) => {
    const schema = schemas[name]
    if (!schema) throw new Error(`server/src/config/descriptions.ts describes ${name}, which is not a setting.`)
    const details = typeof entry === 'string' ? { description: entry } : entry
    const { description, default: fallback = formatDefault(schema), combinedFrom = [] } = details
    const aliases = [...(schema.aliases ?? []), ...combinedFrom].map(formatCode).join(', ')
    return `| ${formatCode(name)} | ${fallback} | ${description} | ${aliases} |`
  })

/** The tables of docs/configuration.md. Throws if a setting has no description, or more than one. */
export const formatSettingsTables = (): string => {
  const describedNames = settingGroups.flatMap((group) => Object.keys(group.settings))
  const missing = Object.keys(schemas).filter((name) => !describedNames.includes(name))
  if (missing.length > 0) throw new Error(`server/src/config/descriptions.ts lacks ${missing.join(', ')}.`)
  const repeated = describedNames.filter((name, index) => describedNames.indexOf(name) !== index)
  if (repeated.length > 0) throw new Error(`server/src/config/descriptions.ts repeats ${repeated.join(', ')}.`)
  return settingGroups
    .map((group) => [
      `## ${group.title}`,
      '',
      '<!-- prettier-ignore -->',
      '| Variable | Default | Meaning | Also accepted |',
      '| --- | --- | --- | --- |',
      ...rowsOf(group),
    ])
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}
