import { fireEvent, screen, waitFor } from '@testing-library/react'
import { messages as general } from '@trunkline/contract/messages/general'
import { messages } from '@trunkline/contract/messages/lcr'
import { beforeEach, describe, expect, it } from 'vitest'
import { page, useRoutingBackend } from './outbound-route-fields'

const { render, ask, world, brief, routesOf, fill } = useRoutingBackend()

/** Finds fields by label: queries by role take seconds in jsdom. */
const field = (at: number) => screen.findByLabelText<HTMLInputElement>(`Digit prefix or regex of route ${at}`)
const shown = () =>
  screen.getAllByLabelText<HTMLInputElement>(/^Digit prefix or regex of route/).map(({ value }) => value)
const type = async (at: number, value: string) => fireEvent.change(await field(at), { target: { value } })
const save = () => fireEvent.click(screen.getByText('Save'))
const said = (words: string) => waitFor(() => expect(screen.queryAllByText(words), words).not.toHaveLength(0))
const told = () => said(`${messages.changedMeanwhile} ${general.inputKept}`)
const stored = async () => (await brief(world().acme.lcr)).map(([regex]) => regex)

describe('two users who save the same outbound call routes', () => {
  beforeEach(() => fill(world().acme.lcr, ['1', '2', '3']))

  const open = async () => {
    await render(page(world().acme.lcr), { as: 'acme' })
    await field(3)
  }

  it('lose nothing: the second gets an error, sees the stored changes, and keeps unsaved ones', async () => {
    await open()
    const one = `/Lcrs/${world().acme.lcr}`
    await type(2, '22')
    await fill(world().acme.lcr, ['7', '8'])
    await ask('acme', 'PUT', one, { is_active: 0 })
    save()
    await told()
    await said(general.fieldConflict)
    expect(shown()).toEqual(['1', '22', '3'])
    expect(screen.getByLabelText<HTMLInputElement>('Active').checked).toBe(false)
    expect(await stored()).toEqual(['7', '8', '.*'])
    save()
    await said(messages.saved)
    expect(await stored()).toEqual(['1', '22', '3', '.*'])
    await ask('acme', 'PUT', one, { is_active: 1 })
  })

  it('get no error after their own deletion of a route', async () => {
    await open()
    fireEvent.click(screen.getByLabelText('Delete route 3'))
    await said(messages.routeRemoved)
    await type(1, '11')
    save()
    await said(messages.saved)
    expect(await stored()).toEqual(['11', '2', '.*'])
  })

  it('get an error even if a route was deleted meanwhile', async () => {
    await open()
    const [first] = await routesOf(world().acme.lcr)
    await ask('acme', 'PUT', `/LcrRoutes/${first!.lcr_route_sid}`, { regex: '9' })
    fireEvent.click(screen.getByLabelText('Delete route 3'))
    await said(messages.routeRemoved)
    await type(2, '22')
    save()
    await told()
    expect(await stored()).toEqual(['9', '2', '.*'])
  })
})
