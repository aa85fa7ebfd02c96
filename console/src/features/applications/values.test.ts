import type { Application } from '@trunkline/contract/shapes/application'
import { applicationDraftSchema } from '@trunkline/contract/shapes/application'
import { describe, expect, it } from 'vitest'
import { getApplicationChanges, toApplicationDraft, toApplicationValues } from './values'

const accountSid = '00000000-0000-4000-8000-000000000000'

const record = {
  application_sid: 'b',
  name: 'desk',
  account_sid: accountSid,
  app_json: '[{"verb":"say","text":"hi"}]',
  call_hook: { webhook_sid: 'w', url: 'wss://a.example.com', method: 'POST', username: 'u', password: 's3cret' },
  call_status_hook: { webhook_sid: 'x', url: 'https://a.example.com', method: 'POST', username: null, password: null },
  messaging_hook: null,
  speech_synthesis_vendor: 'microsoft',
} as Application

describe('the values of the application form', () => {
  it('sends only the name if nothing was changed, even though the app JSON is shown reformatted', () => {
    const values = toApplicationValues(record)
    expect(values.app_json).toBe(JSON.stringify([{ verb: 'say', text: 'hi' }], null, 2))
    expect(getApplicationChanges(values, record)).toEqual({ name: 'desk' })
  })

  it('sends the changed fields', () => {
    const values = { ...toApplicationValues(record), app_json: '', account_sid: 'c' }
    values.messaging_hook.url = ' https://a.example.com/text '
    expect(getApplicationChanges(values, record)).toEqual({
      name: 'desk',
      account_sid: 'c',
      app_json: null,
      messaging_hook: { url: 'https://a.example.com/text', method: 'POST', username: null, password: null },
    })
  })

  it('shows invalid app JSON unchanged', () => {
    expect(toApplicationValues({ ...record, app_json: '[oops' }).app_json).toBe('[oops')
  })

  it('reports a missing webhook at its URL field', () => {
    const result = applicationDraftSchema.safeParse(
      toApplicationDraft({ ...toApplicationValues(undefined, accountSid), name: 'desk' }),
    )
    expect(result.error?.issues.map(({ path }) => path.join('.'))).toEqual(['call_hook.url', 'call_status_hook.url'])
  })
})
