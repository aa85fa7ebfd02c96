import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import type { SipGateway } from '@trunkline/contract/shapes/sip-gateway'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { holdRequests } from './hold-requests'
import { useBackend } from './render'

const { render, requestAs } = useBackend()

afterEach(() => void vi.restoreAllMocks())

const gatewayRow = (position: number) => within(screen.getByLabelText(`SIP gateway ${position}`))
const replaceText = async (user: UserEvent, input: HTMLElement, text: string) => {
  await user.clear(input)
  await user.type(input, text)
  await user.tab()
}
const save = (user: UserEvent) => user.click(screen.getByText('Save'))
const expectText = (text: string) => waitFor(() => expect(screen.queryAllByText(text), text).not.toHaveLength(0))
const findCarrier = async (name: string) =>
  (await requestAs<VoipCarrier[]>('north', 'GET', '/VoipCarriers')).find((row) => row.name === name)
const gatewaysOf = (sid: string) => requestAs<SipGateway[]>('north', 'GET', `/SipGateways?voip_carrier_sid=${sid}`)

it('replaces the default port with the typed text after a click into the empty port', async () => {
  const { user } = await render('/internal/carriers/add', { as: 'provider' })
  await screen.findByLabelText(/Carrier name/)
  const port = gatewayRow(1).getByLabelText<HTMLInputElement>('Port')
  await user.type(gatewayRow(1).getByLabelText('Address'), '198.51.100.21')
  await user.click(port)
  expect(port.value).toBe('5060')
  await user.keyboard('5080')
  expect(port.value).toBe('5080')
  // a later click places the cursor as usual
  await user.click(port)
  await user.keyboard('1')
  expect(port.value).toBe('50801')
})

describe('deleting a stored gateway', () => {
  it('happens at once, and keeps unsaved changes elsewhere', async () => {
    const { sid } = await requestAs<{ sid: string }>('north', 'POST', '/VoipCarriers', {
      name: 'Two gateways',
      sip_gateways: [
        { ipv4: '192.0.2.10', inbound: 1, outbound: 0 },
        { ipv4: '192.0.2.11', inbound: 1, outbound: 1 },
      ],
    })
    const { user } = await render(`/internal/carriers/${sid}/edit`, { as: 'provider' })
    await replaceText(user, await screen.findByLabelText('Tech prefix'), '4471')
    const addresses = async () => (await gatewaysOf(sid)).map(({ ipv4 }) => ipv4)
    const firstAddress = gatewayRow(1).getByLabelText<HTMLInputElement>('Address').value
    const [remainingAddress] = (await addresses()).filter((ipv4) => ipv4 !== firstAddress)
    await user.click(screen.getByLabelText('Delete SIP gateway 1'))
    await expectText(messages.gatewayRemoved)
    expect(await addresses()).toEqual([remainingAddress])
    await waitFor(() => expect(screen.queryByLabelText('SIP gateway 2')).toBeNull())
    expect(gatewayRow(1).getByLabelText<HTMLInputElement>('Address').value).toBe(remainingAddress)
    expect(screen.getByLabelText<HTMLInputElement>('Tech prefix').value).toBe('4471')
    // the last gateway is required: it stays stored until another one is saved
    await user.click(screen.getByLabelText('Delete SIP gateway 1'))
    await waitFor(() => expect(screen.queryByLabelText('SIP gateway 1')).toBeNull())
    expect(await addresses()).toEqual([remainingAddress])
    await user.click(screen.getByText('Add SIP gateway'))
    await replaceText(user, gatewayRow(1).getByLabelText('Address'), '192.0.2.12')
    await save(user)
    await expectText(messages.saved)
    expect(await addresses()).toEqual(['192.0.2.12'])
    expect((await findCarrier('Two gateways'))?.tech_prefix).toBe('4471')
  })

  it('delays Save until it is done', async () => {
    const { sid } = await requestAs<{ sid: string }>('north', 'POST', '/VoipCarriers', {
      name: 'Slow deletion',
      sip_gateways: [
        { ipv4: '192.0.2.20', inbound: 1, outbound: 0 },
        { ipv4: '192.0.2.21', inbound: 1, outbound: 1 },
      ],
    })
    const { user } = await render(`/internal/carriers/${sid}/edit`, { as: 'provider' })
    await replaceText(user, await screen.findByLabelText('Tech prefix'), '4472')
    const deletedAddress = gatewayRow(1).getByLabelText<HTMLInputElement>('Address').value
    const release = holdRequests('DELETE', '/SipGateways/')
    await user.click(screen.getByLabelText('Delete SIP gateway 1'))
    await expectText(messages.removingGateway)
    await user.keyboard('{Control>}s{/Control}')
    expect((await findCarrier('Slow deletion'))?.tech_prefix).not.toBe('4472')
    release()
    await expectText(messages.gatewayRemoved)
    await waitFor(() => expect(screen.queryByText(messages.removingGateway)).toBeNull())
    await save(user)
    await expectText(messages.saved)
    expect((await findCarrier('Slow deletion'))?.tech_prefix).toBe('4472')
    expect((await gatewaysOf(sid)).map(({ ipv4 }) => ipv4)).not.toContain(deletedAddress)
  })
})
