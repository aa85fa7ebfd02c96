import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import { CopyField } from './copy'
import { maskSecret, MaskedSecret } from './form/masked-secret'
import { clearToasts, Toasts } from './feedback/toast'

afterEach(() => {
  act(clearToasts)
  cleanup()
})

describe('copying', () => {
  it('copies the text to the clipboard and confirms it', async () => {
    const user = userEvent.setup()
    render(
      <>
        <CopyField label="SIP realm" text="acme.example" />
        <Toasts />
      </>,
    )
    await user.click(screen.getByRole('button', { name: 'Copy acme.example' }))
    expect(await navigator.clipboard.readText()).toBe('acme.example')
    expect((await screen.findByRole('status')).textContent).toBe('acme.example copied to clipboard')
  })

  it('explains how to copy by hand if the clipboard is not available', async () => {
    const user = userEvent.setup()
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined })
    render(
      <>
        <CopyField label="SIP realm" text="acme.example" />
        <Toasts />
      </>,
    )
    await user.click(screen.getByRole('button', { name: 'Copy acme.example' }))
    await screen.findByText('Unable to copy acme.example, please select the text and right click to copy')
  })
})

describe('a masked secret', () => {
  it('shows the last four characters', () => {
    expect(maskSecret('38700987-c7a4-4685-a5bb-af378f9734de')).toMatch(/^•+34de$/)
    expect(maskSecret('abcd')).toBe('••••')
    expect(maskSecret('')).toBe('')
  })

  it('is copied in full, and masked in the confirmation', async () => {
    const user = userEvent.setup()
    render(
      <>
        <MaskedSecret value="s3cret-value" label="webhook secret" />
        <Toasts />
      </>,
    )
    await user.click(screen.getByRole('button', { name: 'Copy webhook secret' }))
    expect(await navigator.clipboard.readText()).toBe('s3cret-value')
    expect((await screen.findByRole('status')).textContent).toMatch(/^•+alue copied to clipboard$/)
  })

  it('is revealed and hidden by its button', async () => {
    render(<MaskedSecret value="s3cret-value" label="webhook secret" />)
    expect(screen.queryByText('s3cret-value')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Show webhook secret' }))
    screen.getByText('s3cret-value')
    const hideButton = screen.getByRole('button', { name: 'Hide webhook secret' })
    // its label already changes with the state
    expect(hideButton.hasAttribute('aria-pressed')).toBe(false)
    await userEvent.click(hideButton)
    expect(screen.queryByText('s3cret-value')).toBeNull()
  })
})
