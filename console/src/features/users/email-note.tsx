import { messages } from '@trunkline/contract/messages/user'
import { user } from '@trunkline/contract/resources/user'
import type { UserRecord } from '@trunkline/contract/shapes/user'
import { useState } from 'react'
import { request } from '../../lib/client'
import { getErrorMessage } from '../../lib/problem'
import { Button } from '../../ui/button'
import { toast } from '../../ui/feedback/toast'

/** Shows that an email address awaits confirmation. Its user can request the link again. */
export const UnconfirmedEmail = ({ record, own }: { record: UserRecord; own: boolean }) => {
  const [pending, setPending] = useState(false)
  const sendAgain = async () => {
    setPending(true)
    try {
      await request(user.update, {
        params: { user_sid: record.user_sid },
        body: { name: record.name, email: record.email },
      })
      toast.ok(messages.email.sentAgain)
    } catch (error) {
      toast.bad(getErrorMessage(error))
    }
    setPending(false)
  }
  return (
    <>
      <p>{own ? messages.email.ownUnconfirmed(record.email) : messages.email.unconfirmed}</p>
      {own ? (
        <div>
          <Button size="sm" pending={pending} onClick={() => void sendAgain()}>
            Send the link again
          </Button>
        </div>
      ) : null}
    </>
  )
}
