/** One small file per language family, with some odd names; no two chunks have the same text. */
export const POLYGLOT: Readonly<Record<string, string>> = {
	"src/app/store.ts": `import { readFile } from "node:fs/promises";
import { exec } from "node:child_process";

export abstract class Store extends Base implements Closable, Readable {
	#count = 0;

	@cached("store")
	async load(key: string, limit = 10): Promise<string> {
		const text = await readFile(key, "utf8");
		if (text === "") throw new EmptyStoreError(key);
		for (const line of text.split("\\n")) {
			if (line.length > limit) continue;
			if (line === "end") break;
		}
		return text;
	}

	protected drop(key: string): void {
		let last = key;
		this.owner.name = last;
		const held = this.owner;
		held.release();
	}
}

export function* each(list: number[]) {
	for (const one of list) yield one;
}

export function run(req: { query: { command: string } }) {
	exec(req.query.command);
}
`,
	"src/app/Größe.py": `import os, json
from app.base import Base

class Größe(Base):
    """Measures."""

    @staticmethod
    def messen(länge: int) -> float:
        if länge < 0:
            raise ValueError("negative")
        return länge * 2.0

    async def _später(self, warten):
        await warten.ready()
        self.wert = 1

def alle(*werte):
    while True:
        for wert in werte:
            yield wert
        break

def lauf(request):
    os.system(request.args["cmd"])
`,
	"cmd/my server/main.go": `package main

import (
	"fmt"
	"net/http"
)

type Server struct {
	Name string
}

func (s *Server) Handle(w http.ResponseWriter, r *http.Request) error {
	for i := 0; i < 3; i++ {
		switch {
		case i == 1:
			continue
		default:
			fmt.Println(r.URL.Path)
		}
	}
	return nil
}

func helper() {
	go func() { fmt.Print("x") }()
}
`,
	"crates/core/src/lib.rs": `use std::collections::HashMap;

#[derive(Debug, Clone)]
pub struct Cache { items: HashMap<String, u32> }

impl Cache {
    pub async fn fetch(&mut self, key: &str) -> Option<u32> {
        let found = self.items.get(key);
        if found.is_none() { return None; }
        loop { break; }
        found.copied()
    }

    fn forget(&mut self, key: &str) { self.items.remove(key); }
}
`,
	"java/src/main/java/shop/Order.java": `package shop;

import java.util.List;

public final class Order extends Entity implements Comparable<Order> {
	private List<Line> lines;

	@Override
	public int compareTo(Order other) throws OrderException {
		if (other == null) throw new OrderException("none");
		return lines.size() - other.lines.size();
	}

	private void clear() { lines = null; }
}
`,
	"net/Billing.Tests/Invoice.cs": `using System;
using System.Threading.Tasks;

namespace Billing;

public class Invoice : Document
{
    [Obsolete("old")]
    public async Task<int> PrintAsync(string title)
    {
        await Task.Delay(5);
        while (title.Length > 3) { break; }
        return title.Length;
    }

    internal void Reset() { Total = 0; }
}
`,
	"lib/jobs/nightly.rb": `require "json"

class Nightly < Job
  def perform(path)
    return unless path
    raise ArgumentError, "none" if path.empty?
    @seen = JSON.parse(path)
  end

  private

  def tidy
    @seen = nil
  end
end
`,
	"web/Mailer.PHP": `<?php
namespace Web;

use Web\\Base\\Sender;

class Mailer extends Sender implements Quiet {
    public function send(string $to): bool {
        foreach ($this->list as $item) { if ($item === $to) continue; }
        throw new MailException($to);
    }
}
`,
	"broken/half.js": "export function half(a {\n\tif (a) {\n\t\treturn a\n",
	"docs/Guide [v2].md": "# Guide\n\nHow the store is loaded.\n\n## Order\n\nOrders are compared.\n",
	"data/findings.jsonl":
		'{"id":"r1","severity":"High","package":{"name":"left pad","tags":["a","B"]},"open":true}\n{"id":"r2","severity":"low","score":7}\n',
};
