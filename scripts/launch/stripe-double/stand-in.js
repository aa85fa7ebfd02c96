// A stand-in for Stripe.js, for tests and for the demo of the hosted edition. It draws the three card fields as plain inputs
// and sends the card to the double that serves this script. It implements the part of Stripe.js that the console uses
// (docs.stripe.com/js). Never use it with real cards.
;(() => {
  const doubleUrl = new URL(/** @type {HTMLScriptElement} */ (document.currentScript).src).origin

  /** @param {Record<string, unknown>} params @param {string} prefix @returns {[string, string][]} */
  const toPairs = (params, prefix = '') =>
    Object.entries(params).flatMap(([name, value]) => {
      const key = prefix ? `${prefix}[${name}]` : name
      if (value === undefined || value === null) return []
      return typeof value === 'object'
        ? toPairs(/** @type {Record<string, unknown>} */ (value), key)
        : [/** @type {[string, string]} */ ([key, String(value)])]
    })

  /** @param {string} apiKey @param {string} path @param {Record<string, unknown>} params */
  const post = async (apiKey, path, params) => {
    try {
      const response = await fetch(doubleUrl + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(toPairs(params)),
      })
      return await response.json()
    } catch {
      return { error: { type: 'api_connection_error', message: 'We are experiencing issues connecting to Stripe.' } }
    }
  }

  /** @typedef {{ label: string, placeholder: string, autocomplete: string, isComplete: (text: string) => boolean, incomplete: { code: string, message: string } }} CardField */

  /** @param {string} text */
  const digitsOf = (text) => text.replace(/\D/g, '')

  /** @type {Record<string, CardField>} */
  const fieldByType = {
    cardNumber: {
      label: 'Credit or debit card number',
      placeholder: '1234 1234 1234 1234',
      autocomplete: 'cc-number',
      isComplete: (text) => digitsOf(text).length >= 15,
      incomplete: { code: 'incomplete_number', message: 'Your card number is incomplete.' },
    },
    cardExpiry: {
      label: 'Credit or debit card expiration date',
      placeholder: 'MM / YY',
      autocomplete: 'cc-exp',
      isComplete: (text) => /^(0[1-9]|1[0-2])\d\d$/.test(digitsOf(text)),
      incomplete: { code: 'incomplete_expiry', message: "Your card's expiration date is incomplete." },
    },
    cardCvc: {
      label: 'Credit or debit card CVC/CVV',
      placeholder: 'CVC',
      autocomplete: 'cc-csc',
      isComplete: (text) => /^\d{3,4}$/.test(digitsOf(text)),
      incomplete: { code: 'incomplete_cvc', message: "Your card's security code is incomplete." },
    },
  }

  class CardElement {
    /** @param {string} type @param {{ placeholder?: string, disabled?: boolean, style?: { base?: Record<string, string> } }} options */
    constructor(type, options) {
      const field = fieldByType[type]
      if (!field) throw new Error(`The stand-in for Stripe.js has no element ${type}`)
      this.type = type
      this.field = field
      /** @type {Map<string, Set<(event: unknown) => void>>} */
      this.listeners = new Map()
      this.input = document.createElement('input')
      this.input.autocomplete = /** @type {AutoFill} */ (field.autocomplete)
      this.input.inputMode = 'numeric'
      this.input.setAttribute('aria-label', field.label)
      Object.assign(this.input.style, { width: '100%', border: '0', outline: '0', background: 'none', padding: '0' })
      this.update(options)
      this.input.addEventListener('input', () => this.emit('change', this.describe(false)))
      this.input.addEventListener('focus', () => this.emit('focus', { elementType: type }))
      this.input.addEventListener('blur', () => {
        this.emit('blur', { elementType: type })
        if (this.input.value) this.emit('change', this.describe(true))
      })
    }

    /** The event of a change. An incomplete value is an error only after the field has lost the focus. @param {boolean} hasLostFocus */
    describe(hasLostFocus) {
      const complete = this.field.isComplete(this.input.value)
      const error = hasLostFocus && !complete ? { type: 'validation_error', ...this.field.incomplete } : undefined
      return { elementType: this.type, empty: this.input.value === '', complete, error, brand: 'unknown' }
    }

    /** @param {{ placeholder?: string, disabled?: boolean, style?: { base?: Record<string, string> } }} options */
    update({
      placeholder = this.input.placeholder || this.field.placeholder,
      disabled = this.input.disabled,
      style,
    } = {}) {
      this.input.placeholder = placeholder
      this.input.disabled = disabled
      const { color, fontSize, fontFamily } = style?.base ?? {}
      Object.assign(this.input.style, { color, fontSize, fontFamily })
    }

    /** @param {string | HTMLElement} target */
    mount(target) {
      const parent = typeof target === 'string' ? document.querySelector(target) : target
      parent?.replaceChildren(this.input)
      setTimeout(() => this.emit('ready', { elementType: this.type }))
    }

    unmount() {
      this.input.remove()
    }

    destroy() {
      this.input.remove()
    }

    focus() {
      this.input.focus()
    }

    blur() {
      this.input.blur()
    }

    clear() {
      this.input.value = ''
      this.emit('change', this.describe(false))
    }

    /** @param {string} name @param {(event: unknown) => void} listener */
    on(name, listener) {
      const listeners = this.listeners.get(name) ?? new Set()
      this.listeners.set(name, listeners.add(listener))
      return this
    }

    /** @param {string} name @param {(event: unknown) => void} listener */
    off(name, listener) {
      this.listeners.get(name)?.delete(listener)
      return this
    }

    /** @param {string} name @param {(event: unknown) => void} listener */
    once(name, listener) {
      /** @param {unknown} event */
      const listenOnce = (event) => {
        this.off(name, listenOnce)
        listener(event)
      }
      return this.on(name, listenOnce)
    }

    /** @param {string} name @param {unknown} event */
    emit(name, event) {
      for (const listener of [...(this.listeners.get(name) ?? [])]) listener(event)
    }
  }

  const createElements = () => {
    /** @type {Map<string, CardElement>} */
    const elements = new Map()
    return {
      /** @param {string} type @param {object} options */
      create(type, options = {}) {
        const element = new CardElement(type, options)
        elements.set(type, element)
        return element
      },
      /** @param {string | { __elementType: string }} type */
      getElement: (type) => elements.get(typeof type === 'string' ? type : type.__elementType) ?? null,
      update: () => undefined,
      fetchUpdates: () => Promise.resolve({}),
      submit: () => Promise.resolve({}),
      on: () => undefined,
      off: () => undefined,
      elements,
    }
  }

  /** Asks as a bank does in its dialog. Resolves to whether the payment was confirmed. @returns {Promise<boolean>} */
  const confirmWithBank = () =>
    new Promise((resolve) => {
      const dialog = document.createElement('dialog')
      dialog.setAttribute('aria-label', '3D Secure')
      const text = document.createElement('p')
      text.textContent = 'Your bank asks you to confirm this payment.'
      const createButton = (/** @type {string} */ label, /** @type {boolean} */ isConfirmed) => {
        const button = document.createElement('button')
        button.textContent = label
        button.addEventListener('click', () => {
          dialog.close()
          dialog.remove()
          resolve(isConfirmed)
        })
        return button
      }
      dialog.append(text, createButton('Complete authentication', true), createButton('Fail authentication', false))
      document.body.append(dialog)
      dialog.showModal()
    })

  /** @param {string} apiKey */
  const createStripe = (apiKey) => {
    /** The elements of one form share their card. @type {ReturnType<typeof createElements> | undefined} */
    let form
    const readCard = () => {
      const valueOf = (/** @type {string} */ type) => digitsOf(form?.elements.get(type)?.input.value ?? '')
      const expiry = valueOf('cardExpiry')
      return {
        number: valueOf('cardNumber'),
        exp_month: Number(expiry.slice(0, 2)),
        exp_year: 2000 + Number(expiry.slice(2)),
        cvc: valueOf('cardCvc'),
      }
    }
    const findIncompleteField = () =>
      ['cardNumber', 'cardExpiry', 'cardCvc']
        .map((type) => form?.elements.get(type))
        .find((element) => element && !element.field.isComplete(element.input.value))?.field.incomplete

    /** Confirms a payment that the bank wants to have confirmed. @param {string} clientSecret */
    const handlePayment = async (clientSecret) => {
      const id = clientSecret.split('_secret_')[0]
      const isConfirmed = await confirmWithBank()
      const params = { client_secret: clientSecret, ...(isConfirmed ? {} : { confirmed: 'false' }) }
      const { error, ...paymentIntent } = await post(apiKey, `/v1/payment_intents/${id}/confirm`, params)
      return error ? { error } : { paymentIntent }
    }

    return {
      elements: () => (form = createElements()),
      createToken: () => Promise.reject(new Error('The stand-in for Stripe.js creates no tokens')),
      createPaymentMethod: async () => {
        const incomplete = findIncompleteField()
        if (incomplete) return { error: { type: 'validation_error', ...incomplete } }
        const { error, ...paymentMethod } = await post(apiKey, '/v1/payment_methods', {
          type: 'card',
          card: readCard(),
        })
        return error ? { error } : { paymentMethod }
      },
      confirmCardPayment: handlePayment,
      /** @param {{ clientSecret: string }} options */
      handleNextAction: ({ clientSecret }) => handlePayment(clientSecret),
      registerAppInfo: () => undefined,
      _registerWrapper: () => undefined,
    }
  }

  Object.assign(window, { Stripe: Object.assign(createStripe, { version: 'stand-in' }) })
})()
