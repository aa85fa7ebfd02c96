import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { messages as form } from '@trunkline/contract/messages/form'
import type { SipGateway } from '@trunkline/contract/shapes/sip-gateway'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { selectOption, findInput } from './form-inputs'
import { startV1Server } from './v1-server'
import { useBackend } from './render'

const { render, requestAs, backend, testData } = useBackend({ minimumNetmask: 24 })

const section = (name: string) => within(screen.getByLabelText(name))
const gatewayRow = (number: number) => section(`SIP gateway ${number}`)
const typeText = (field: HTMLElement, value: string) => {
  fireEvent.change(field, { target: { value } })
  fireEvent.blur(field)
}
const expectText = (text: string) => waitFor(() => expect(screen.queryAllByText(text), text).not.toHaveLength(0))
const expectNoText = (text: string) => waitFor(() => expect(screen.queryByText(text)).toBeNull())
const save = (user: UserEvent) => user.click(screen.getByText('Save'))
const expandSection = (user: UserEvent, title: string) =>
  user.click(screen.getByRole('button', { name: new RegExp(`^${title}`) }))

const openForm = async (name: string) => {
  const rendered = await render('/internal/carriers/add', { as: 'provider' })
  typeText(await findInput('Carrier name'), name)
  typeText(gatewayRow(1).getByLabelText('Address'), '198.51.100.20')
  return rendered
}
const gatewaysOf = (sid: string) => requestAs<SipGateway[]>('north', 'GET', `/SipGateways?voip_carrier_sid=${sid}`)
const findCarrier = async (name: string) =>
  (await requestAs<VoipCarrier[]>('north', 'GET', '/VoipCarriers')).find((row) => row.name === name)

describe('the field errors of a carrier', () => {
  it('require a realm, username and password for registration, in a valid format', async () => {
    const { user } = await openForm('Registering')
    await expandSection(user, 'Registration')
    await user.click(screen.getByLabelText('Require SIP Register'))
    await save(user)
    for (const label of ['SIP realm', 'Auth username', 'Auth password']) await expectText(`${label} is required.`)
    typeText(await findInput('Auth username'), 'two words')
    await expectText('Auth username must not contain whitespace')
    for (const label of ['SIP realm', 'SIP from domain']) {
      typeText(await findInput(label), 'sip:example.com')
      await expectText(`${label} must be a valid domain or IP address (no sip: prefix, no spaces)`)
      typeText(await findInput(label), 'example.com')
      await expectNoText(`${label} must be a valid domain or IP address (no sip: prefix, no spaces)`)
    }
    expect(await findCarrier('Registering')).toBeUndefined()
  })

  it('refuse an invalid outbound proxy', async () => {
    const { user } = await openForm('By proxy')
    await expandSection(user, 'Trunk')
    for (const invalidProxy of ['sip:proxy.example.com', 'proxy.example.com:x', '192.0.2.']) {
      typeText(await findInput('Outbound SIP proxy'), invalidProxy)
      await expectText(messages.invalidProxy)
      typeText(await findInput('Outbound SIP proxy'), '')
      await expectNoText(messages.invalidProxy)
    }
    typeText(await findInput('Outbound SIP proxy'), ' proxy.example.com : 5061 ')
    await save(user)
    await expectText(messages.added)
    expect(await findCarrier('By proxy')).toMatchObject({ outbound_sip_proxy: 'proxy.example.com:5061' })
  })

  it('require an outbound gateway for a registration trunk', async () => {
    const { user } = await openForm('Registered')
    await expandSection(user, 'Trunk')
    await selectOption(user, 'Trunk type', messages.trunk.reg)
    await save(user)
    await expectText(messages.gateway.outboundForRegistration)
    expect(await findCarrier('Registered')).toBeUndefined()
  })

  it('refuse an invalid netmask', async () => {
    await openForm('Wide')
    typeText(gatewayRow(1).getByLabelText('Netmask'), '33')
    await expectText(messages.gateway.invalidNetmask(32))
    typeText(gatewayRow(1).getByLabelText('Netmask'), '0')
    await expectText(messages.gateway.invalidNetmask(32))
  })

  it('refuse invalid and duplicate SMPP gateways in both directions', async () => {
    const { user } = await openForm('Messages')
    await user.click(screen.getByText('SMS'))
    const invalidGateways = {
      outbound: [
        ['example.com', messages.smpp.subdomain('smpp.example.com')],
        ['smpp', messages.smpp.invalidAddress('outbound')],
        ['192.0.2.70', messages.smpp.duplicate('outbound')],
      ],
      inbound: [
        ['smpp.example.com', messages.smpp.invalidAddress('inbound')],
        ['192.0.2.70', messages.smpp.duplicate('inbound')],
      ],
    } as const
    for (const [direction, cases] of Object.entries(invalidGateways)) {
      const row = (number: number) => section(`${direction === 'inbound' ? 'Inbound' : 'Outbound'} gateway ${number}`)
      await user.click(screen.getByText(`Add ${direction} gateway`))
      await user.click(screen.getByText(`Add ${direction} gateway`))
      typeText(row(1).getByLabelText(/address/i), '192.0.2.70')
      for (const [address, message] of cases) {
        typeText(row(2).getByLabelText(/address/i), address)
        await expectText(message)
      }
      typeText(row(2).getByLabelText(/address/i), '192.0.2.71')
      await expectNoText(cases.at(-1)![1])
    }
  })
})

it('shows no error for a gateway that was only just added', async () => {
  const { user } = await openForm('Fresh rows')
  await user.click(screen.getByText('SMS'))
  const focusedInput = () => document.activeElement as HTMLInputElement
  for (const direction of ['outbound', 'inbound'] as const) {
    await user.click(screen.getByText(`Add ${direction} gateway`))
    await waitFor(() => expect(focusedInput().getAttribute('name')).toMatch(new RegExp(direction, 'i')))
    if (direction === 'outbound') {
      await user.type(focusedInput(), '1')
      await user.clear(focusedInput())
    }
  }
  // the outbound address was emptied and left, the inbound one is untouched
  await expectText(messages.smpp.invalidAddress('outbound'))
  expect(screen.queryByText(messages.smpp.invalidAddress('inbound'))).toBeNull()
  await save(user)
  await expectText(messages.smpp.invalidAddress('inbound'))
})

describe('duplicating a carrier', () => {
  it('copies the carrier with its gateways', async () => {
    const { shared } = testData()
    const hiddenFields = { description: 'Bought in May', smpp_enquire_link_interval: 30 }
    await requestAs('north', 'PUT', `/VoipCarriers/${shared.north.voip_carrier}`, hiddenFields)
    const { user, currentPath } = await render(`/internal/carriers/${shared.north.voip_carrier}/edit`, {
      as: 'provider',
    })
    await user.click(await screen.findByRole('link', { name: 'Duplicate' }))
    await screen.findByRole('heading', { name: 'Add carrier' })
    expect((await screen.findByLabelText<HTMLInputElement>(/Carrier name/)).value).toBe('Copy of North shared')
    await save(user)
    await waitFor(() => expect(currentPath()).toBe('/internal/carriers'))
    const copiedCarrier = await findCarrier('Copy of North shared')
    expect(copiedCarrier).toMatchObject(hiddenFields)
    const [originalGateways, copiedGateways] = await Promise.all(
      [shared.north.voip_carrier, copiedCarrier!.voip_carrier_sid].map(gatewaysOf),
    )
    expect(copiedGateways).toHaveLength(originalGateways!.length)
    expect(copiedGateways![0]).toMatchObject({
      ipv4: originalGateways![0]!.ipv4,
      voip_carrier_sid: copiedCarrier!.voip_carrier_sid,
    })
    expect(copiedGateways![0]!.sip_gateway_sid).not.toBe(originalGateways![0]!.sip_gateway_sid)
  })
})

describe('with a server that saves gateways one by one', () => {
  let v1Server: Awaited<ReturnType<typeof startV1Server>>
  beforeEach(async () => {
    v1Server = await startV1Server(backend().app)
  })
  afterEach(() => v1Server.close())

  it('reports that the carrier exists if a gateway is refused, and saves only the rest on the next save', async () => {
    const { user, currentPath } = await render('/internal/carriers/add', {
      as: 'provider',
      features: { apiBaseUrl: v1Server.apiBaseUrl },
    })
    typeText(await findInput('Carrier name'), 'One by one')
    typeText(gatewayRow(1).getByLabelText('Address'), '198.51.100.30')
    await user.click(screen.getByText('Add SIP gateway'))
    typeText(gatewayRow(2).getByLabelText('Address'), '198.51.100.31')
    typeText(gatewayRow(2).getByLabelText('Netmask'), '16')
    await save(user)
    await expectText(messages.gatewaysNotSaved)
    await expectText('netmask required to have value equal or greater than 24')
    typeText(gatewayRow(2).getByLabelText('Netmask'), '28')
    await save(user)
    await waitFor(() => expect(currentPath()).toBe('/internal/carriers'))
    const { voip_carrier_sid } = (await findCarrier('One by one'))!
    const storedGateways = await gatewaysOf(voip_carrier_sid)
    expect(storedGateways.map(({ ipv4, netmask }) => [ipv4, netmask])).toEqual([
      ['198.51.100.30', 32],
      ['198.51.100.31', 28],
    ])
  })
  it('warns the second of two users who save the same carrier, so that neither loses changes', async () => {
    const { sid } = await requestAs<{ sid: string }>('north', 'POST', '/VoipCarriers', {
      name: 'Of two',
      sip_gateways: [{ ipv4: '198.51.100.60', inbound: 1, outbound: 1 }],
    })
    const { user } = await render(`/internal/carriers/${sid}/edit`, {
      as: 'provider',
      features: { apiBaseUrl: v1Server.apiBaseUrl },
    })
    typeText(await findInput('Tech prefix'), '4471')
    // a status written by voice servers does not count as a change
    const { db } = backend().database
    await db
      .updateTable('voip_carriers')
      .set({ register_status: '{"status":"ok"}' })
      .where('voip_carrier_sid', '=', sid)
      .execute()
    await save(user)
    await expectText(messages.saved)
    await requestAs('north', 'POST', '/SipGateways', {
      voip_carrier_sid: sid,
      ipv4: '198.51.100.61',
      inbound: 1,
      outbound: 1,
    })
    typeText(await findInput('Tech prefix'), '4472')
    await save(user)
    await expectText(`${messages.changedMeanwhile} ${form.inputKept}`)
    expect(gatewayRow(2).getByDisplayValue('198.51.100.61')).toBeTruthy()
    expect(await findCarrier('Of two')).toMatchObject({ tech_prefix: '4471' })
    await save(user)
    await waitFor(async () => expect(await findCarrier('Of two')).toMatchObject({ tech_prefix: '4472' }))
    expect(await gatewaysOf(sid)).toHaveLength(2)
  })
})
