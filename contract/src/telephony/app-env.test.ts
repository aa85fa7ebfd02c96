import { describe, expect, it } from 'vitest'
import { getDefaultEnv, findEnvErrors, convertEnv, type EnvSchema } from './app-env'

const schema: EnvSchema = {
  GREETING: { type: 'string', description: 'x', required: true, default: 'hello' },
  COUNT: { type: 'number', description: 'x', default: 0 },
  ON: { type: 'boolean', description: 'x', required: true },
  MODE: { type: 'string', description: 'x', enum: ['slow', 'fast'] },
  SIZE: { type: 'number', description: 'x', enum: [1, 2] },
  constructor: { type: 'string' as const, description: 'a name that every object has' },
}
const validValues = { GREETING: 'hi', ON: false }

describe("an application's environment variables", () => {
  it.each<[object, [string, string][]]>([
    [validValues, []],
    [{ ...validValues, COUNT: 0, MODE: 'fast', SIZE: 2, OTHER: 'kept' }, []],
    [{ ...validValues, COUNT: null, MODE: '' }, []],
    [{ ON: true }, [['GREETING', 'missing']]],
    [{ ...validValues, GREETING: '' }, [['GREETING', 'missing']]],
    [{ ...validValues, COUNT: '1' }, [['COUNT', 'invalid']]],
    [{ ...validValues, MODE: 'medium' }, [['MODE', 'invalid']]],
    [{ ...validValues, SIZE: 3 }, [['SIZE', 'invalid']]],
    [
      { GREETING: 1, ON: 'yes' },
      [
        ['GREETING', 'invalid'],
        ['ON', 'invalid'],
      ],
    ],
  ])('findEnvErrors of %j', (values, errors) => {
    expect(findEnvErrors(schema, values as Record<string, unknown>)).toEqual(
      errors.map(([name, kind]) => ({ name, kind })),
    )
  })

  it('are sent in the types of the schema, without empty and unknown ones', () => {
    const formValues = { GREETING: ' hi ', COUNT: '0', ON: 0, MODE: ' ', SIZE: 'two', OTHER: 'x' }
    expect(convertEnv(schema, formValues)).toEqual({ GREETING: ' hi ', COUNT: 0, ON: false, SIZE: 'two' })
    expect(convertEnv(schema, { ON: 1, COUNT: '1.5' })).toEqual({ ON: true, COUNT: 1.5 })
    expect(convertEnv(schema, {})).toEqual({})
  })

  it('default to the values of the schema, and to false for required booleans', () => {
    expect(getDefaultEnv(schema)).toEqual({ GREETING: 'hello', COUNT: 0, ON: false })
  })
})
