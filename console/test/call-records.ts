import { screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import type { useBackend } from './render'

type TestBackend = ReturnType<typeof useBackend>
/** A call record or an alert as the ingest receives it. */
type Point = Parameters<ReturnType<TestBackend['backend']>['services']['callHistory']['writePoints']>[1][number]

export const hourMs = 3_600_000
/** Noon of today, so that no test fails around midnight. */
export const noonToday = () => new Date().setHours(12, 0, 0, 0)

const pcapsByCallId = new Map([['in-1@host', 'packets']])
/** A store with captured messages of the newest sample call. */
export const captures = {
  findMessages: async (callId: string) => ({ total: pcapsByCallId.has(callId) ? 3 : 0 }),
  findPcap: async (callId: string) => Buffer.from(pcapsByCallId.get(callId) ?? ''),
}

/**
 * Returns a function that writes sample data at its first call: three calls today (two of acme, one of bolt), one call of
 * acme four days ago, and two alerts of acme.
 */
export const createCallWriter = ({ backend, testData }: Pick<TestBackend, 'backend' | 'testData'>) => {
  const write = async () => {
    const { acme, bolt, providers } = testData()
    const call = (account: string, timeMs: number, tags: object, fields: Point['fields']): Point => ({
      tags: { account_sid: account, service_provider_sid: providers.north, trunk: 'Vantage SIP', ...tags },
      fields,
      timeNs: BigInt(timeMs) * 1_000_000n,
    })
    const inboundTags = { direction: 'inbound', answered: 'true' }
    await backend().services.callHistory.writePoints('cdrs', [
      call(acme.account, noonToday() + 2000, inboundTags, {
        call_sid: 'c-in',
        sip_callid: 'in-1@host',
        from: '16175550192',
        to: '18575550100',
        duration: 38,
        sip_status: 200,
        termination_reason: 'called party hung up',
        trace_id: '0'.repeat(32),
        cost: 0.25,
      }),
      call(
        acme.account,
        noonToday() + 1000,
        { direction: 'outbound', answered: 'false' },
        { call_sid: 'c-out', from: '18575550100', to: '442079460821' },
      ),
      call(bolt.account, noonToday(), inboundTags, {
        call_sid: 'c-bolt',
        trace_id: 'd0fa554885664a7da849d5aa5a4a76d7',
        from: '15085550163',
        to: '18575550102',
      }),
      call(acme.account, noonToday() - 96 * hourMs, inboundTags, {
        call_sid: 'c-old',
        from: '19785550139',
        to: '18575550100',
      }),
    ])
    const alert = (timeMs: number, message: string) =>
      call(acme.account, timeMs, { alert_type: 'webhook-failure' }, { message, detail: 'the full response' })
    await backend().services.callHistory.writePoints('alerts', [
      alert(noonToday(), 'https://a.example returned 404'),
      alert(noonToday() - 96 * hourMs, 'https://b.example returned 500'),
    ])
  }
  let writePromise: Promise<void> | undefined
  return () => (writePromise ??= write())
}

export const findTotal = (text: string) => screen.findByText(text)
/** The links or buttons of the rows that are not open. Their names start with a date. */
export const collapsedRows = () => [
  ...screen.queryAllByRole('button', { expanded: false, name: /^\d{4}-/ }),
  ...screen.queryAllByRole('link', { current: false, name: /^\d{4}-/ }),
]
export const selectOption = async (user: UserEvent, name: RegExp, option: string) => {
  await user.click(await screen.findByRole('combobox', { name }))
  await user.click(await screen.findByRole('option', { name: option, hidden: true }))
}
