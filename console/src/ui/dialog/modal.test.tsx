import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useEffect, useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { Modal } from './modal'

afterEach(cleanup)

/** A locked dialog that another dialog replaces when the response arrives. */
const ReplacedDialog = ({ response, onClose }: { response: Promise<void>; onClose: () => void }) => {
  const [hasResponse, setHasResponse] = useState(false)
  useEffect(() => void response.then(() => setHasResponse(true)), [response])
  return hasResponse ? (
    <Modal key="answer" opened label="Answer" onClose={onClose} children={null} />
  ) : (
    <Modal key="question" opened locked label="Question" onClose={() => undefined} children={null} />
  )
}

const pressEscape = () =>
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))

it('closes only the topmost of nested dialogs with Escape', async () => {
  const NestedDialogs = () => {
    const [openCount, setOpenCount] = useState(1)
    return (
      <Modal opened={openCount > 0} label="Outer" onClose={() => setOpenCount(0)}>
        <button onClick={() => setOpenCount(2)}>Open</button>
        <Modal opened={openCount > 1} label="Inner" onClose={() => setOpenCount(1)} children={null} />
      </Modal>
    )
  }
  render(<NestedDialogs />)
  await userEvent.click(screen.getByRole('button', { name: 'Open' }))
  const getDialogNames = () => screen.queryAllByRole('dialog').map((dialog) => dialog.getAttribute('aria-label'))
  expect(getDialogNames()).toEqual(['Outer', 'Inner'])
  await userEvent.keyboard('{Escape}')
  expect(getDialogNames()).toEqual(['Outer'])
  await userEvent.keyboard('{Escape}')
  expect(getDialogNames()).toEqual([])
})

it('closes with an Escape pressed as soon as it has replaced a locked dialog', async () => {
  const onClose = vi.fn()
  let respond = () => undefined as void
  const response = new Promise<void>((resolve) => (respond = resolve))
  render(<ReplacedDialog response={response} onClose={onClose} />)
  const escapePressed = new Promise<void>((resolve) => {
    // runs right after the new dialog is in the document, before React's deferred effects
    const observer = new MutationObserver(() => {
      if (!screen.queryByRole('dialog', { name: 'Answer' })) return
      observer.disconnect()
      pressEscape()
      resolve()
    })
    observer.observe(document.body, { childList: true, subtree: true })
  })
  setTimeout(respond)
  await waitFor(() => screen.getByRole('dialog', { name: 'Answer' }))
  await escapePressed
  expect(onClose).toHaveBeenCalledOnce()
})
