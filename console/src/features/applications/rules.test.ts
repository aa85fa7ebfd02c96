import { describe, expect, it } from 'vitest'
import { applicationRules } from './rules'
import { applicationValues } from './values'

describe('the app JSON of an application', () => {
  const rulesOf = (app_json: string) => applicationRules({ ...applicationValues(undefined), app_json }, null)

  it.each(['', '  ', '[{"verb":"hangup"}]'])('accepts %j', (text) => {
    expect(rulesOf(text)).not.toHaveProperty('app_json')
  })

  it('refuses app JSON that voice servers could not run', () => {
    expect(rulesOf('[{"verb":"play"}]')).toMatchObject({ app_json: 'play: missing value for url' })
  })
})
