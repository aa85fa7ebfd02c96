import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { defaultFeatureFlags } from '@trunkline/contract/feature-flags'
import type { AccountLimit } from '@trunkline/contract/shapes/limit'
import { FormProvider, useForm } from 'react-hook-form'
import { describe, expect, it } from 'vitest'
import { password } from '../../server/test/test-data'
import { FieldRegistryContext, createFieldRegistry } from '../src/fields/field-registry'
import { validateLimits, noLimits, readLimits, saveLimits, type LimitValues } from '../src/panels/limit-values'
import { Limits } from '../src/panels/limits'
import { createResolver } from '../src/kit/form/resolver'
import { setFeatureFlags } from '../src/lib/feature-flags'
import { useBackend } from './render'

const { requestAs, backend, testData } = useBackend()

const limitsOwner = () => ({ account_sid: testData().accounts.acme, service_provider_sid: testData().providers.north })
const accountOwner = () => ({ account_sid: testData().accounts.acme })
const readStoredLimits = async () =>
  Object.fromEntries(
    (await requestAs<AccountLimit[]>('admin', 'GET', `/Accounts/${testData().accounts.acme}/Limits`)).map(
      ({ category, quantity }) => [category, quantity],
    ),
  )

const fieldRegistry = createFieldRegistry()

/** An account form with only the limits. */
const LimitsForm = ({ limits, onSaved }: { limits: LimitValues; onSaved: () => void }) => {
  const form = useForm<{ limits: LimitValues }>({
    defaultValues: { limits },
    resolver: createResolver(fieldRegistry, (values) => validateLimits(values.limits)),
  })
  return (
    <FieldRegistryContext.Provider value={fieldRegistry}>
      <FormProvider {...form}>
        <form
          onSubmit={(event) => {
            void form.handleSubmit(({ limits: changedLimits }) =>
              saveLimits(accountOwner(), changedLimits, limits).then(onSaved),
            )(event)
          }}
        >
          <Limits owner={limitsOwner()} />
          <button type="submit">Save</button>
        </form>
      </FormProvider>
    </FieldRegistryContext.Provider>
  )
}

const renderLimits = async (as: 'admin' | 'north' | 'acme', allLimits: boolean) => {
  const serverAddress = backend().app.server.address()
  const port = typeof serverAddress === 'object' && serverAddress ? serverAddress.port : 0
  setFeatureFlags({ ...defaultFeatureFlags, apiBaseUrl: `http://127.0.0.1:${port}/v1`, allLimits })
  const payload = { username: as, password }
  const response = await backend().app.inject({ method: 'POST', url: '/v1/login', payload })
  localStorage.setItem('token', response.json<{ token: string }>().token)
  const limits = await readLimits(accountOwner())
  let saveCount = 0
  render(<LimitsForm limits={limits} onSaved={() => (saveCount += 1)} />)
  const user = userEvent.setup()
  return {
    user,
    clickSave: () => user.click(screen.getByRole('button', { name: 'Save' })),
    waitUntilSaved: () => waitFor(() => expect(saveCount).toBe(1)),
  }
}

const limitInput = (name: string) => screen.queryByRole<HTMLInputElement>('textbox', { name })
const labels = ['Max calls', 'Licensed calls', 'Max minutes', 'Licensed minutes']
const shownLabels = () => labels.filter((label) => limitInput(label))
const selectUnit = async (user: ReturnType<typeof userEvent.setup>, name: string) => {
  await user.click(screen.getByRole('combobox', { name: 'Unit' }))
  await user.click(await screen.findByRole('option', { name, hidden: true }))
}

describe('the limits of an account', () => {
  it('show only its calls to an administrator and a provider user', async () => {
    for (const as of ['admin', 'north'] as const) {
      const { user, clickSave, waitUntilSaved } = await renderLimits(as, false)
      expect(shownLabels()).toEqual(['Max calls'])
      await user.clear(limitInput('Max calls')!)
      await user.type(limitInput('Max calls')!, as === 'admin' ? '3' : '4')
      await clickSave()
      await waitUntilSaved()
      expect(await readStoredLimits()).toEqual({ voice_call_session: as === 'admin' ? 3 : 4 })
      cleanup()
    }
  })

  it("are read-only for the account's own user", async () => {
    await renderLimits('acme', false)
    expect(limitInput('Max calls')).toMatchObject({ readOnly: true, value: '4', placeholder: '–' })
  })

  it('show all four with `allLimits`, two per unit', async () => {
    const { user, clickSave, waitUntilSaved } = await renderLimits('admin', true)
    expect(shownLabels()).toEqual(['Max calls', 'Licensed calls'])
    await user.clear(limitInput('Max calls')!)
    await user.type(limitInput('Licensed calls')!, '0')
    await selectUnit(user, 'Minute')
    expect(shownLabels()).toEqual(['Max minutes', 'Licensed minutes'])
    await user.type(limitInput('Max minutes')!, '1000')
    await clickSave()
    await waitUntilSaved()
    expect(await readStoredLimits()).toEqual({ voice_call_session_license: 0, voice_call_minutes: 1000 })
  })

  it('switch to the unit that has an error', async () => {
    const { user, clickSave } = await renderLimits('admin', true)
    await user.type(limitInput('Max calls')!, 'x')
    await selectUnit(user, 'Minute')
    await clickSave()
    expect(await screen.findByText('Max calls must be a whole number, 0 or more.')).toBeTruthy()
    expect(shownLabels()).toEqual(['Max calls', 'Licensed calls'])
  })

  it('open with the unit that has limits', async () => {
    await requestAs(
      'admin',
      'DELETE',
      `/Accounts/${testData().accounts.acme}/Limits?category=voice_call_session_license`,
    )
    await renderLimits('admin', true)
    expect(shownLabels()).toEqual(['Max minutes', 'Licensed minutes'])
  })

  it('are editable only by administrators with `allLimits`; others see the licensed ones', async () => {
    for (const as of ['north', 'acme'] as const) {
      const { user } = await renderLimits(as, true)
      await selectUnit(user, 'Minute')
      expect(shownLabels()).toEqual(['Licensed minutes'])
      expect(limitInput('Licensed minutes')!.readOnly).toBe(true)
      cleanup()
    }
  })
})

it('keeps limits of a category that is not shown', async () => {
  const { account_sid } = accountOwner()
  await requestAs('admin', 'POST', `/Accounts/${account_sid}/Limits`, { category: 'device', quantity: 9 })
  await renderLimits('admin', false)
  await saveLimits({ account_sid }, noLimits, await readLimits({ account_sid }))
  expect(await readStoredLimits()).toEqual({ device: 9 })
})
