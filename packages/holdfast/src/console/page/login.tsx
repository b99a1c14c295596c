import { useEffect, useRef, useState } from "preact/hooks";
import { refused, unlock, unopenable } from "./api.ts";

/** Asks for the token that the server was started with; it is kept until the tab is closed. */
export function Login() {
	const [token, setToken] = useState("");
	const field = useRef<HTMLInputElement>(null);
	// The form replaces the view that had the focus.
	useEffect(() => field.current?.focus(), []);
	if (unopenable.value !== undefined)
		return (
			<div class="card narrow">
				<h1>The console cannot be opened</h1>
				<p class="notice bad" role="alert">
					{unopenable.value}
				</p>
			</div>
		);
	return (
		<form
			class="card narrow"
			onSubmit={(event) => {
				event.preventDefault();
				unlock(token);
			}}
		>
			<h1>This server asks for a token</h1>
			{refused.value !== undefined && (
				<p class="notice bad" role="alert">
					{refused.value}
				</p>
			)}
			<label class="field">
				<span>Token</span>
				<input
					ref={field}
					type="password"
					autocomplete="current-password"
					required
					value={token}
					onInput={(event) => setToken(event.currentTarget.value)}
				/>
			</label>
			<p class="hint">
				The one given to <code>holdfast up --token</code>.
			</p>
			<div class="actions">
				<button class="primary" type="submit">
					Log in
				</button>
			</div>
		</form>
	);
}
