import { screen } from '@testing-library/react'
import type { useBackend } from './render'

type Backend = ReturnType<typeof useBackend>
/** A call record or an alert as the ingest receives it. */
type Point = Parameters<ReturnType<Backend['backend']>['services']['callHistory']['write']>[1][number]
type User = Awaited<ReturnType<Backend['render']>>['user']

export const hour = 3_600_000
/** Noon of today, so that no test fails around midnight. */
export const noon = () => new Date().setHours(12, 0, 0, 0)

/** Writes, once, three calls today (two of acme, one of bolt), one of acme four days ago, and two alerts of acme. */
export const callWriter = ({ backend, world }: Pick<Backend, 'backend' | 'world'>) => {
  const write = async () => {
    const { acme, bolt, providers } = world()
    const call = (account: string, at: number, tags: object, fields: Point['fields']): Point => ({
      tags: { account_sid: account, service_provider_sid: providers.north, trunk: 'Vantage SIP', ...tags },
      fields,
      time: BigInt(at) * 1_000_000n,
    })
    const inbound = { direction: 'inbound', answered: 'true' }
    await backend().services.callHistory.write('cdrs', [
      call(acme.account, noon() + 2000, inbound, {
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
        noon() + 1000,
        { direction: 'outbound', answered: 'false' },
        { call_sid: 'c-out', from: '18575550100', to: '442079460821' },
      ),
      call(bolt.account, noon(), inbound, {
        call_sid: 'c-bolt',
        trace_id: 'd0fa554885664a7da849d5aa5a4a76d7',
        from: '15085550163',
        to: '18575550102',
      }),
      call(acme.account, noon() - 96 * hour, inbound, { call_sid: 'c-old', from: '19785550139', to: '18575550100' }),
    ])
    const alert = (at: number, message: string) =>
      call(acme.account, at, { alert_type: 'webhook-failure' }, { message, detail: 'the whole answer' })
    await backend().services.callHistory.write('alerts', [
      alert(noon(), 'https://a.example returned 404'),
      alert(noon() - 96 * hour, 'https://b.example returned 500'),
    ])
  }
  let written: Promise<void> | undefined
  return () => (written ??= write())
}

export const total = (text: string) => screen.findByText(text)
export const rows = () => screen.getAllByRole('button', { expanded: false, name: /^\d{4}-/ })
export const choose = async (user: User, name: RegExp, option: string) => {
  await user.click(await screen.findByRole('combobox', { name }))
  await user.click(await screen.findByRole('option', { name: option, hidden: true }))
}
