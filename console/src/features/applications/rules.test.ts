import { describe, expect, it } from 'vitest'
import { findApplicationErrors } from './rules'
import { toApplicationValues } from './values'

describe('the app JSON of an application', () => {
  const findErrors = (app_json: string) => findApplicationErrors({ ...toApplicationValues(undefined), app_json }, null)

  it.each(['', '  ', '[{"verb":"hangup"}]'])('accepts %j', (text) => {
    expect(findErrors(text)).not.toHaveProperty('app_json')
  })

  it('refuses app JSON that voice servers could not run', () => {
    expect(findErrors('[{"verb":"play"}]')).toMatchObject({ app_json: 'play: missing value for url' })
  })
})
