import { fireEvent, screen, waitFor } from '@testing-library/react'
import { messages as form } from '@trunkline/contract/messages/form'
import { messages } from '@trunkline/contract/messages/lcr'
import { beforeEach, describe, expect, it } from 'vitest'
import { editPath, useRoutingBackend } from './outbound-route-fields'

const { render, requestAs, testData, readPatterns, listRoutes, setRoutes } = useRoutingBackend()

/** Finds fields by label: queries by role take seconds in jsdom. */
const findPatternField = (position: number) =>
  screen.findByLabelText<HTMLInputElement>(`Digit prefix or regex of route ${position}`)
const shownPatterns = () =>
  screen.getAllByLabelText<HTMLInputElement>(/^Digit prefix or regex of route/).map(({ value: pattern }) => pattern)
const typePattern = async (position: number, value: string) =>
  fireEvent.change(await findPatternField(position), { target: { value } })
const clickSave = () => fireEvent.click(screen.getByText('Save'))
const expectText = (text: string) => waitFor(() => expect(screen.queryAllByText(text), text).not.toHaveLength(0))
const expectConflict = () => expectText(`${messages.changedMeanwhile} ${form.inputKept}`)
const storedPatterns = async () => (await readPatterns(testData().acme.lcr)).map(([regex]) => regex)

describe('two users who save the same routing table', () => {
  beforeEach(() => setRoutes(testData().acme.lcr, ['1', '2', '3']))

  const openForm = async () => {
    await render(editPath(testData().acme.lcr), { as: 'acme' })
    await findPatternField(3)
  }

  it('lose nothing: the second gets an error, sees the stored changes, and keeps unsaved ones', async () => {
    await openForm()
    const lcrPath = `/Lcrs/${testData().acme.lcr}`
    await typePattern(2, '22')
    await setRoutes(testData().acme.lcr, ['7', '8'])
    await requestAs('acme', 'PUT', lcrPath, { is_active: 0 })
    clickSave()
    await expectConflict()
    await expectText(form.fieldConflict)
    expect(shownPatterns()).toEqual(['1', '22', '3'])
    expect(screen.getByLabelText<HTMLInputElement>('Active').checked).toBe(false)
    expect(await storedPatterns()).toEqual(['7', '8', '.*'])
    clickSave()
    await expectText(messages.saved)
    expect(await storedPatterns()).toEqual(['1', '22', '3', '.*'])
    await requestAs('acme', 'PUT', lcrPath, { is_active: 1 })
  })

  it('get no error after their own deletion of a route', async () => {
    await openForm()
    fireEvent.click(screen.getByLabelText('Delete route 3'))
    await expectText(messages.routeRemoved)
    await typePattern(1, '11')
    clickSave()
    await expectText(messages.saved)
    expect(await storedPatterns()).toEqual(['11', '2', '.*'])
  })

  it('get an error even if a route was deleted meanwhile', async () => {
    await openForm()
    const [firstRoute] = await listRoutes(testData().acme.lcr)
    await requestAs('acme', 'PUT', `/LcrRoutes/${firstRoute!.lcr_route_sid}`, { regex: '9' })
    fireEvent.click(screen.getByLabelText('Delete route 3'))
    await expectText(messages.routeRemoved)
    await typePattern(2, '22')
    clickSave()
    await expectConflict()
    expect(await storedPatterns()).toEqual(['9', '2', '.*'])
  })
})
