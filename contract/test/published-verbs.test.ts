import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { requiredProperties } from '../src/telephony/verbs'

const require = createRequire(import.meta.url)

interface VerbSchema {
  /** The schema file of a verb that is a synonym of another verb. */
  $ref?: string
  properties: { verb: { const?: string; enum?: string[] } }
  required?: string[]
}

/** The verbs in the platform's published schemas, with their required properties. */
const readPublishedVerbs = (): Record<string, string[]> => {
  const folder = join(dirname(require.resolve('@jambonz/schema/package.json')), 'verbs')
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as VerbSchema
  const schemas = readdirSync(folder).map((file) => {
    const schema = read(file)
    return schema.$ref ? read(`${schema.$ref}.schema.json`) : schema
  })
  return Object.fromEntries(
    schemas.flatMap(({ properties, required = [] }) => {
      const { const: verb = '', enum: aliases = [verb] } = properties.verb
      return aliases.map((alias) => [alias, required])
    }),
  )
}

it('our verbs and their required properties match the published schemas', () => {
  expect(requiredProperties).toEqual(readPublishedVerbs())
})
